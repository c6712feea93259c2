/**
 * `run.mjs --smallest` runs every benchmark on as little data and for as short as its code allows.
 * That shows whether it works; its figures mean nothing.
 */
const isSmallest = process.env.ACEQUIA_BENCH_SMALLEST === '1';

export const sized = (usual, smallest) => (isSmallest ? smallest : usual);

/** How often each side is measured. */
export const rounds = (usual) => sized(Number(process.env.ACEQUIA_BENCH_ROUNDS ?? usual), 1);

/** One run of each side before it is measured fills the disk cache. */
export const WARM_UP_RUNS = sized(1, 0);

export const inWords = (count) => count.toLocaleString('en');
