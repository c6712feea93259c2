let isProcessHeld = false;

export function markProcessHeld(): void {
  isProcessHeld = true;
}

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
