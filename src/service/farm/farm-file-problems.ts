import type { Kysely } from 'kysely';
import { findOutlineFault } from '../../domain/company/geometry.ts';
import { parseIsoStart } from '../../domain/iso-date-time.ts';
import { layersOverlap } from '../../domain/soil/soil-profile.ts';
import { foldText } from '../../domain/text.ts';
import { findNulPath, withWellFormedTexts } from '../../operation/arguments/argument-validation.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { type FarmFile, farmFile } from '../../schema/farm/farm-file.ts';
import { allCompanies } from '../../store/company/companies.ts';
import type { FarmRow } from '../../store/farm/farm-rows.ts';
import type { Tables } from '../../store/tables.ts';
import {
  type FileProblem,
  fileProblemsError,
  formatPath,
  jsonExcerpt,
  parseJsonFile,
  schemaProblems,
} from '../json-file-problems.ts';

function farmFileError(problems: readonly FileProblem[]): AcequiaError {
  return fileProblemsError(
    problems,
    'Nothing was imported. Fix the file; acequia import --print-schema prints what it may hold.',
  );
}

export function parseFarmFile(text: string): FarmFile {
  const json = parseJsonFile(text, 'farm file');
  const nul = findNulPath(json);
  if (nul)
    throw farmFileError([
      {
        path: formatPath(nul),
        description: 'contains the character U+0000, which cannot be stored.',
      },
    ]);

  const parsed = farmFile.safeParse(withWellFormedTexts(json));
  if (!parsed.success) throw farmFileError(schemaProblems(farmFile, parsed.error));

  const problems = [
    ...duplicateKeys(parsed.data),
    ...invalidOutlines(parsed.data),
    ...invalidLayers(parsed.data),
    ...incompletePositions(parsed.data),
  ];
  if (problems.length > 0) throw farmFileError(problems);

  return parsed.data;
}

function duplicateKeys(farm: FarmFile): FileProblem[] {
  const duplicates = <T>(
    list: readonly T[] | undefined,
    listPath: string,
    field: string,
    keyOf: (each: T) => string | null | undefined,
  ): FileProblem[] => {
    const firstIndex = new Map<string, number>();
    const problems: FileProblem[] = [];

    for (const [index, each] of (list ?? []).entries()) {
      const key = keyOf(each);
      if (key == null) continue;
      const first = firstIndex.get(key);
      if (first === undefined) firstIndex.set(key, index);
      else
        problems.push({
          path: `${listPath}[${index}].${field}`,
          description: `repeats that of ${listPath}[${first}]: ${jsonExcerpt(key)}.`,
        });
    }

    return problems;
  };

  return [
    ...duplicates(farm.users, 'users', 'email', (user) => user.email.toLowerCase()),
    ...duplicates(farm.parcels, 'parcels', 'name', (parcel) => parcel.name),
    ...duplicates(farm.gateways, 'gateways', 'imei', (gateway) => gateway.imei),
    ...duplicates(farm.modules, 'modules', 'uid', (module) => module.uid),
    ...duplicates(farm.modules, 'modules', 'name', (module) => module.name),
    ...(farm.modules ?? []).flatMap(({ sensors }, index) =>
      duplicates(
        sensors,
        `modules[${index}].sensors`,
        'depth',
        ({ type, depth }) => `${type} at ${depth ?? 'no depth'}`,
      ),
    ),
  ];
}

const invalidOutlines = (farm: FarmFile): FileProblem[] =>
  (farm.parcels ?? []).flatMap(({ geometry }, index) => {
    const fault = geometry && findOutlineFault(geometry);
    return fault
      ? [
          {
            path: `parcels[${index}].geometry${fault.path}`,
            description: `is not valid: expected ${fault.expected}.`,
          },
        ]
      : [];
  });

const invalidLayers = (farm: FarmFile): FileProblem[] =>
  (farm.parcels ?? []).flatMap(({ soilProfile = [] }, index) =>
    soilProfile.flatMap((layer, layerIndex) => {
      const path = `parcels[${index}].soilProfile[${layerIndex}]`;
      if (layer.depthBottomCm <= layer.depthTopCm)
        return [
          {
            path: `${path}.depthBottomCm`,
            description: 'is not valid: expected a bottom below the top.',
          },
        ];

      const other = soilProfile.findIndex(
        (each, otherIndex) => otherIndex < layerIndex && layersOverlap(each, layer),
      );

      return other < 0
        ? []
        : [{ path, description: `overlaps parcels[${index}].soilProfile[${other}].` }];
    }),
  );

const incompletePositions = (farm: FarmFile): FileProblem[] =>
  (farm.gateways ?? []).flatMap(({ status }, index) => {
    if (!status || (status.lat == null) === (status.lon == null)) return [];
    const missing = status.lat == null ? 'lat' : 'lon';
    return [
      {
        path: `gateways[${index}].status.${missing}`,
        description: 'is missing: a position needs both lat and lon.',
      },
    ];
  });

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

  const problems = instants.flatMap(([path, text]): FileProblem[] => {
    const parsed = text == null ? null : parseIsoStart(text, zone);
    return parsed && 'error' in parsed
      ? [{ path, description: `is not valid: ${parsed.error}.` }]
      : [];
  });
  if (problems.length > 0) throw farmFileError(problems);
}

export function refuseUnknownPlaces(
  farm: FarmFile,
  parcels: ReadonlyMap<string, number>,
  gateways: ReadonlyMap<string, number>,
): void {
  const unknown = (
    path: string,
    name: string | null | undefined,
    known: ReadonlyMap<string, number>,
    kind: string,
  ) =>
    name == null || known.has(name)
      ? []
      : [
          {
            path,
            description: `is ${JSON.stringify(name)}, which is not a ${kind} of the file or the store.`,
          },
        ];

  const problems = (farm.modules ?? []).flatMap(({ parcel, gateway }, index): FileProblem[] => [
    ...unknown(`modules[${index}].parcel`, parcel, parcels, 'parcel'),
    ...unknown(`modules[${index}].gateway`, gateway, gateways, 'gateway'),
  ]);
  if (problems.length > 0) throw farmFileError(problems);
}

export function refuseTakenNames(farm: FarmFile, modules: readonly FarmRow<'modules'>[]): void {
  const renamed = new Set(
    (farm.modules ?? []).filter(({ name }) => name !== undefined).map(({ uid }) => uid),
  );
  const nameOwners = new Map(
    modules.filter(({ uid }) => !renamed.has(uid)).map(({ name, uid }) => [name, uid]),
  );
  const problems = (farm.modules ?? []).flatMap(({ name }, index): FileProblem[] =>
    name != null && nameOwners.has(name)
      ? [
          {
            path: `modules[${index}].name`,
            description: `is ${JSON.stringify(name)}, the name of module ${JSON.stringify(nameOwners.get(name))}.`,
          },
        ]
      : [],
  );
  if (problems.length > 0) throw farmFileError(problems);
}

/** Another name is usually a typing error, and certainly if only case or accents differ. */
export async function refuseOtherCompany(
  all: Kysely<Tables>,
  name: string,
  isNewWanted: boolean,
): Promise<void> {
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
