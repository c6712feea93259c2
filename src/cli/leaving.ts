let isHeld = false;

/** Says that something which nobody waits for any longer may hold the process. */
export function noteHeld(): void {
  isHeld = true;
}

/** Ends the process where something holds it, once all is printed: the command has done what it was for. */
export async function leave(): Promise<void> {
  if (!isHeld) return;
  const { printed } = await import('./output.ts');
  await printed();
  process.exit();
}
