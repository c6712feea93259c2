import type { Kysely } from 'kysely';
import { parseIsoStart } from '../../language/iso-date-time.ts';
import { foldText } from '../../language/text.ts';
import type { FarmFile } from '../../schema/imports/farm-file.ts';
import { allCompanies } from '../../store/company/companies.ts';
import type { FarmRow } from '../../store/farm/farm-rows.ts';
import type { Tables } from '../../store/tables.ts';
import { type FileProblem, fileProblemsError } from '../json-file-problems.ts';
import { farmFileError } from './farm-file-problems.ts';

export function refuseUnreadableInstants(farm: FarmFile, zone: string): void {
  const instants: [path: string, text: string | null | undefined][] = [];
  for (const [index, { installation }] of (farm.parcels ?? []).entries())
    instants.push([`parcels[${index}].installation.effectiveFrom`, installation?.effectiveFrom]);
  for (const [index, { assignedAt, status }] of (farm.gateways ?? []).entries())
    instants.push(
      [`gateways[${index}].assignedAt`, assignedAt],
      [`gateways[${index}].status.lastSeen`, status?.lastSeen],
    );
  for (const [index, { commissionedAt, installation }] of (farm.modules ?? []).entries())
    instants.push(
      [`modules[${index}].commissionedAt`, commissionedAt],
      [`modules[${index}].installation.effectiveFrom`, installation?.effectiveFrom],
    );
  const faults = instants.flatMap(([path, text]): FileProblem[] => {
    const read = text == null ? null : parseIsoStart(text, zone);
    return read && 'error' in read ? [{ path, description: `is not valid: ${read.error}.` }] : [];
  });
  if (faults.length > 0) throw farmFileError(faults);
}

export function refuseUnknownPlaces(
  farm: FarmFile,
  parcels: ReadonlyMap<string, number>,
  gateways: ReadonlyMap<string, number>,
): void {
  const unknown = (path: string, name: string | null | undefined, known: ReadonlyMap<string, number>, kind: string) =>
    name == null || known.has(name)
      ? []
      : [{ path, description: `is ${JSON.stringify(name)}, which is not a ${kind} of the file or the store.` }];
  const faults = (farm.modules ?? []).flatMap(({ parcel, gateway }, index): FileProblem[] => [
    ...unknown(`modules[${index}].parcel`, parcel, parcels, 'parcel'),
    ...unknown(`modules[${index}].gateway`, gateway, gateways, 'gateway'),
  ]);
  if (faults.length > 0) throw farmFileError(faults);
}

export function refuseTakenNames(farm: FarmFile, modules: readonly FarmRow<'modules'>[]): void {
  const renamed = new Set((farm.modules ?? []).filter(({ name }) => name !== undefined).map(({ uid }) => uid));
  const nameOwners = new Map(modules.filter(({ uid }) => !renamed.has(uid)).map(({ name, uid }) => [name, uid]));
  const faults = (farm.modules ?? []).flatMap(({ name }, index): FileProblem[] =>
    name != null && nameOwners.has(name)
      ? [
          {
            path: `modules[${index}].name`,
            description: `is ${JSON.stringify(name)}, the name of module ${JSON.stringify(nameOwners.get(name))}.`,
          },
        ]
      : [],
  );
  if (faults.length > 0) throw farmFileError(faults);
}

/** A different name is usually a typing error, and always if only case or accents differ. */
export async function refuseOtherCompany(all: Kysely<Tables>, name: string, isNewWanted: boolean): Promise<void> {
  const companies = await allCompanies(all);
  const namesake = companies.find((company) => foldText(company.name) === foldText(name));
  const conflict = namesake ?? (isNewWanted ? undefined : companies[0]);
  if (!conflict) return;
  const description = `is ${JSON.stringify(name)}, but the store holds ${JSON.stringify(conflict.name)}.`;
  const problems = [{ path: 'company.name', description }];
  throw namesake
    ? farmFileError(problems)
    : fileProblemsError(
        problems,
        'Nothing was imported. Correct the name. If it is another company: import it into another store (--db), or with ' +
          '--new-company into this one, where each assistant and program then needs a key of its company ' +
          '("acequia keys create --preset assistant --company NAME").',
      );
}
