import { mostCommonReason } from '../domain/brief.ts';
import { type MissingDoseReason, missingDoseReason } from '../domain/dose.ts';
import type { Call } from '../operation/call.ts';
import type { IrrigationConfigurationBody } from '../schema/installation.ts';
import type { WateringBody } from '../schema/watering.ts';
import { resultPages } from './every-page.ts';

/** What most of the missing doses of a probe lack, by the equipment that was in force when each was given. */
export async function commonestMissingInput(
  call: Call,
  setup: IrrigationConfigurationBody,
): Promise<MissingDoseReason> {
  const { count, withoutInstallation } = setup.missingDoses;
  if (2 * withoutInstallation >= count) return 'NO_INSTALLATION';
  const lacks: MissingDoseReason[] = [];
  for await (const page of resultPages<WateringBody>(call, 'list_waterings', { moduleId: setup.moduleId })) {
    const missing = page.filter(({ waterMm, status }) => waterMm === null && status !== 'skipped');
    lacks.push(
      ...missing.map(({ inputMode, startedAt }) => missingDoseReason(inputMode, hasSetupAt(setup, startedAt))),
    );
    if (lacks.length >= count) break;
  }
  return mostCommonReason(lacks);
}

const hasSetupAt = ({ versions }: IrrigationConfigurationBody, at: string): boolean =>
  versions.some(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo));
