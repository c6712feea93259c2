let isProcessHeld = false;

/** Says that something which nobody waits for any longer may hold the process. */
export function markProcessHeld(): void {
  isProcessHeld = true;
}

/** Ends the process where something holds it, once all is printed: the command has done what it was for. */
export async function exitIfHeld(): Promise<void> {
  if (!isProcessHeld) return;
  const { flushOutput } = await import('./output.ts');
  await flushOutput();
  process.exit();
}

/** Resolves when a signal has come. */
export const onceAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
