import type { MessageCounts } from '../../service/ingest/message-batcher.ts';
import { formatTerminalCount } from '../process/output.ts';

type LeftOutCounts = Pick<MessageCounts, 'storedUnassigned' | 'failedMeasurements' | 'staleTotals'>;

/** Values that were sent and did not become readings of a module, although nothing is wrong. */
export function describeLeftOut(counts: LeftOutCounts): string[] {
  const { storedUnassigned, failedMeasurements, staleTotals } = counts;
  const parts: string[] = [];
  if (storedUnassigned > 0)
    parts.push(`${storedUnassigned} stored until their devices are assigned`);
  if (failedMeasurements > 0) parts.push(`${failedMeasurements} failed measurements dropped`);
  // A day's total drops when the gauge's counter restarts.
  if (staleTotals > 0)
    parts.push(
      `${formatTerminalCount(staleTotals, 'rain total')} lower than an earlier one of the same day, or late, left out`,
    );
  return parts;
}
