import type { SetupFacts } from '../../facts/probe-facts.ts';
import type { WateringFacts } from '../../facts/watering-facts.ts';
import { type MissingDoseReason, missingDoseReason } from '../../irrigation/dose.ts';
import { mostCommonReason } from './brief-lists.ts';

/** Null if it takes the waterings to tell. */
export const reasonByCount = ({
  count,
  withoutInstallation,
}: SetupFacts['missingDoses']): MissingDoseReason | null =>
  2 * withoutInstallation >= count ? 'NO_INSTALLATION' : null;

/** The most common reason among waterings without a dose. */
export const mostCommonMissingDoseReason = (
  { versions }: Pick<SetupFacts, 'versions'>,
  waterings: readonly WateringFacts[],
): MissingDoseReason =>
  mostCommonReason(
    waterings.map(({ inputMode, startedAt }) =>
      missingDoseReason(inputMode, hasEquipmentAt(versions, startedAt)),
    ),
  );

const hasEquipmentAt = (versions: SetupFacts['versions'], at: number): boolean =>
  versions.some(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo));
