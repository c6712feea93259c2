import { MINUTE_MS } from '../../domain/periods.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { newestInstant } from '../../store/store-statistics.ts';
import {
  type DoctorFinding,
  findingsAbout,
  formatRoughDuration,
  formatUtcSecond,
} from './findings.ts';

const TOLERANCE_MS = 10 * MINUTE_MS;

export async function checkClock(
  now: number,
  source: 'cli' | 'env' | undefined,
  view: StoreView | null,
): Promise<DoctorFinding> {
  const newFinding = findingsAbout('clock');
  const newest = view ? await view.read(newestInstant) : null;
  const origin =
    source === undefined
      ? "the machine's"
      : `set by ${source === 'env' ? 'ACEQUIA_CLOCK' : '--clock'}`;
  const text = `${formatUtcSecond(now)}, ${origin}`;
  if (newest !== null && newest > now + TOLERANCE_MS)
    return newFinding.doubtful(
      `${text}; but the store has a record of ${formatUtcSecond(newest)}, ${formatRoughDuration(newest - now)} later`,
      source === undefined
        ? "Set the machine's clock. If it is right, the clock of a probe was ahead."
        : 'Use the machine’s clock, unless this is a replay or a test.',
    );

  if (source !== undefined)
    return newFinding.doubtful(text, 'Use the machine’s clock, unless this is a replay or a test.');

  return newFinding.good(newest === null ? text : `${text}; no record in the store is later`);
}
