import { currentVersion, equipmentOf, type Version } from '../domain/setup-timeline.ts';
import type { Books } from '../operation/call.ts';
import { AcequiaError } from '../schema/error.ts';
import type { FarmInstallation } from '../schema/farm.ts';
import { keepFarmInstallation, lastFarmInstallation } from '../store/farm.ts';
import { type Target, versionsOf } from '../store/installations.ts';
import { modulesOfParcel } from '../store/modules.ts';
import { completeDoses } from './doses.ts';
import { newTally, type Outcome, type Tally } from './farm-report.ts';
import { declareInstallation, isFirstOfParcel, isFirstOfProbe } from './installations.ts';

interface Declared {
  readonly id: number;
  readonly installation?: FarmInstallation | null | undefined;
}

/**
 * Declares the equipment of a file by the rule of the two setup writes. What stands as declared already is left alone.
 * Modules come before parcels: what one file declares stands side by side, so that a probe's first setup counts from 1970
 * also where its parcel gets its first one too.
 */
export async function declareFarmInstallations(
  call: Books,
  declared: { modules: readonly Declared[]; parcels: readonly Declared[] },
  instantOf: (text: string) => number,
): Promise<{ tally: Tally; completedDoses: number }> {
  const tally = newTally();
  const reached = new Set<number>();
  for (const [index, { id, installation }] of declared.modules.entries()) {
    if (!installation) continue;
    const outcome = await at(`modules[${index}].installation`, async () =>
      declare(call, { moduleId: id }, installation, await isFirstOfProbe(call, id), instantOf),
    );
    tally[outcome]++;
    if (outcome !== 'unchanged') reached.add(id);
  }
  for (const [index, { id, installation }] of declared.parcels.entries()) {
    if (!installation) continue;
    const outcome = await at(`parcels[${index}].installation`, async () =>
      declare(call, { parcelId: id }, installation, await isFirstOfParcel(call, id), instantOf),
    );
    tally[outcome]++;
    if (outcome !== 'unchanged') for (const probe of await modulesOfParcel(call.db, id)) reached.add(probe);
  }
  let completedDoses = 0;
  for (const id of reached) completedDoses += await completeDoses(call, id);
  return { tally, completedDoses };
}

async function declare(
  call: Books,
  target: Target,
  installation: FarmInstallation,
  isFirst: boolean,
  instantOf: (text: string) => number,
): Promise<Outcome> {
  const own = await versionsOf(call.db, target);
  const effectiveFrom = installation.effectiveFrom == null ? null : instantOf(installation.effectiveFrom);
  const said = JSON.stringify(installation);
  if ((await lastFarmInstallation(call.db, target)) === said) return 'unchanged';
  await keepFarmInstallation(call.db, target, said);
  if (isDeclared(own, installation, effectiveFrom)) return 'unchanged';
  await declareInstallation(call, target, { ...installation, effectiveFrom }, isFirst);
  return own.length === 0 ? 'created' : 'changed';
}

/**
 * Whether the file says what stands already. Without a date it does so too when that has changed since: an older file
 * that is imported again must not bring old equipment back into force.
 */
function isDeclared(own: readonly Version[], installation: FarmInstallation, effectiveFrom: number | null): boolean {
  if (effectiveFrom === null) return own.some((version) => isSame(version, installation));
  const standing = own.find((version) => version.validFrom === effectiveFrom) ?? currentVersion(own);
  return standing !== null && isSame(standing, installation);
}

/** Whether a version is what the file declares; a remark counts where the file gives one. */
function isSame(version: Version, installation: FarmInstallation): boolean {
  const equipment = equipmentOf(installation);
  const fields = Object.keys(equipment) as (keyof typeof equipment)[];
  return (
    fields.every((field) => version[field] === equipment[field]) &&
    (installation.notes === undefined || version.notes === installation.notes)
  );
}

/** A refusal of the timeline says where in the file it arose. */
async function at<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    const { code, status, message, hint } = error;
    throw new AcequiaError({ code, status, message: `${path}: ${message}`, hint, field: path });
  }
}
