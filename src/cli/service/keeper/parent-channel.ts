/**
 * A process that was started with a channel ends with the one that started it, as if that had sent
 * it a signal: on Windows there are none.
 */
export function endWithParent(): void {
  if (!process.channel) return;
  process.once('disconnect', () => {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1);
  });
  // The listener would keep the process alive.
  process.channel.unref();
}
