import { newestInstant } from '../../store/standing.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration, formatUtcSecond } from './finding.ts';

/** Clocks of probes and machines differ; from here on one of them is wrong. In ms. */
const TOLERANCE_MS = 10 * 60_000;

/** Whether the clock is the machine's, and stands behind nothing that is recorded already. */
export async function checkClock(
  now: number,
  source: 'cli' | 'env' | undefined,
  view: StoreView | null,
): Promise<DoctorFinding> {
  const finding = findingsAbout('clock');
  const newest = view ? await view.read(newestInstant) : null;
  const origin = source === undefined ? "the machine's" : `set by ${source === 'env' ? 'ACEQUIA_CLOCK' : '--clock'}`;
  const text = `${formatUtcSecond(now)}, ${origin}`;
  if (newest !== null && newest > now + TOLERANCE_MS)
    return finding.doubtful(
      `${text}; but the store holds something of ${formatUtcSecond(newest)}, ${formatRoughDuration(newest - now)} later`,
      source === undefined
        ? "Set the machine's clock. If it is right, a probe's own clock ran ahead when it sent."
        : 'Leave the clock to the machine, unless this is a replay or a test.',
    );
  if (source !== undefined)
    return finding.doubtful(text, 'Leave the clock to the machine, unless this is a replay or a test.');
  return finding.good(newest === null ? text : `${text}; nothing in the store is later`);
}
