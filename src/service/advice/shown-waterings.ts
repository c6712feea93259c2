import type { ModuleFacts, SetupFacts } from '../../domain/facts/probe-facts.ts';
import { type WateringFacts, wateringsOnValve } from '../../domain/facts/watering-facts.ts';
import type { FactSource } from '../../operation/fact-source.ts';

interface ShowingProbe {
  readonly setup: Pick<SetupFacts, 'installation'>;
  readonly isTension: boolean;
}

/** The waterings of the probe, or those on the valve of a tensiometer without any. */
export async function loadShownWaterings(
  facts: Pick<FactSource, 'waterings'>,
  { id: moduleId, parcelId }: Pick<ModuleFacts, 'id' | 'parcelId'>,
  { setup, isTension }: ShowingProbe,
  period: { readonly from: number; readonly to: number },
): Promise<readonly WateringFacts[]> {
  const own = await facts.waterings({ targets: [{ moduleId }], ...period });
  if (!isTension || parcelId === null || own.some(({ status }) => status === 'done')) return own;
  const ofParcel = await facts.waterings({ targets: [{ parcelId }], ...period });
  return wateringsOnValve(ofParcel, moduleId, setup.installation);
}
