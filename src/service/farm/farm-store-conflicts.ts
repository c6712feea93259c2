import type { Kysely } from 'kysely';
import { parseIsoInstant } from '../../language/iso-date-time.ts';
import { foldText } from '../../language/text.ts';
import type { FarmFile } from '../../schema/imports/farm-file.ts';
import { allCompanies } from '../../store/company/companies.ts';
import type { FarmRow } from '../../store/farm/farm-rows.ts';
import type { Tables } from '../../store/tables.ts';
import type { FileProblem } from '../json-file-problems.ts';
import { farmFileError } from './farm-file-problems.ts';

export function refuseUnreadableInstants(farm: FarmFile, zone: string): void {
  const instants: [path: string, text: string | null | undefined][] = [
    ...(farm.parcels ?? []).map((each, index): [string, string | null | undefined] => [
      `parcels[${index}].installation.effectiveFrom`,
      each.installation?.effectiveFrom,
    ]),
    ...(farm.gateways ?? []).flatMap((each, index): [string, string | null | undefined][] => [
      [`gateways[${index}].assignedAt`, each.assignedAt],
      [`gateways[${index}].status.lastSeen`, each.status?.lastSeen],
    ]),
    ...(farm.modules ?? []).flatMap((each, index): [string, string | null | undefined][] => [
      [`modules[${index}].commissionedAt`, each.commissionedAt],
      [`modules[${index}].installation.effectiveFrom`, each.installation?.effectiveFrom],
    ]),
  ];
  const faults = instants.flatMap(([path, text]): FileProblem[] => {
    const read = text == null ? null : parseIsoInstant(text, zone);
    return read && 'error' in read ? [{ path, description: `is not valid: ${read.error}.` }] : [];
  });
  if (faults.length > 0) throw farmFileError(faults);
}

export function refuseUnknownPlaces(
  farm: FarmFile,
  parcels: ReadonlyMap<string, number>,
  gateways: ReadonlyMap<string, number>,
): void {
  const faults = (farm.modules ?? []).flatMap(({ parcel, gateway }, index): FileProblem[] => [
    ...(parcel == null || parcels.has(parcel)
      ? []
      : [
          {
            path: `modules[${index}].parcel`,
            description: `is ${JSON.stringify(parcel)}, which is not a parcel of the file or the store.`,
          },
        ]),
    ...(gateway == null || gateways.has(gateway)
      ? []
      : [
          {
            path: `modules[${index}].gateway`,
            description: `is ${JSON.stringify(gateway)}, which is not a gateway of the file or the store.`,
          },
        ]),
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

/** A name that differs only by case or accents is a typing error, which would create a second company. */
export async function refuseSimilarName(all: Kysely<Tables>, name: string): Promise<void> {
  const namesake = (await allCompanies(all)).find((company) => foldText(company.name) === foldText(name));
  if (namesake)
    throw farmFileError([
      {
        path: 'company.name',
        description: `is ${JSON.stringify(name)}, but the store holds ${JSON.stringify(namesake.name)}.`,
      },
    ]);
}
