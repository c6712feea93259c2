import type { MessageCounts } from '../../service/ingest/message-batcher.ts';
import { formatTerminalCount } from '../process/output.ts';

type LeftOutCounts = Pick<MessageCounts, 'storedUnassigned' | 'failedMeasurements' | 'staleTotals'>;

/** What was sent and did not become a reading of a module, without being an error. */
export function describeLeftOut(counts: LeftOutCounts): string[] {
  const { storedUnassigned, failedMeasurements, staleTotals } = counts;
  const parts: string[] = [];
  if (storedUnassigned > 0)
    parts.push(`${storedUnassigned} stored until their devices are assigned`);
  if (failedMeasurements > 0) parts.push(`${failedMeasurements} failed measurements dropped`);
  // The counter of a gauge started again.
  if (staleTotals > 0)
    parts.push(
      `${formatTerminalCount(staleTotals, 'rain total')} lower than an earlier one of the same day ignored`,
    );
  return parts;
}
