let isProcessHeld = false;

/** A background task may keep the event loop alive. */
export function markProcessHeld(): void {
  isProcessHeld = true;
}

/** Exits once everything is printed. */
export async function exitIfHeld(): Promise<void> {
  if (!isProcessHeld) return;
  const { flushOutput } = await import('./output.ts');
  await flushOutput();
  process.exit();
}

export const onceAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
