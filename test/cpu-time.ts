/**
 * The least CPU time of several runs, in ms. What else the machine does changes it less than the
 * time of day.
 */
export async function leastCpuMs(
  run: () => unknown,
  { runs = 5, enoughMs = 0 }: { runs?: number; enoughMs?: number | undefined } = {},
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < runs && least > enoughMs; n++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
