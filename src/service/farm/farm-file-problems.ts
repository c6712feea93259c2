import type { Kysely } from 'kysely';
import { findOutlineFault } from '../../domain/company/geometry.ts';
import { addressKey } from '../../domain/company/mail-address.ts';
import { parseIsoStart } from '../../domain/iso-date-time.ts';
import { entryOf } from '../../domain/items.ts';
import { layersOverlap } from '../../domain/soil/soil-profile.ts';
import { foldText } from '../../domain/strings.ts';
import { say, verbatim, word } from '../../domain/text/say.ts';
import { findNulPath, withWellFormedTexts } from '../../operation/arguments/argument-validation.ts';
import { AcequiaError } from '../../schema/error.ts';
import { type FarmFile, farmFile } from '../../schema/farm/farm-file.ts';
import { allCompanies } from '../../store/company/companies.ts';
import type { FarmRow } from '../../store/farm/farm-rows.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import {
  type FileProblem,
  fileProblemsError,
  formatPath,
  jsonExcerpt,
  parseJsonFile,
  schemaProblems,
} from '../json-file-problems.ts';
import { optional } from './farm-rows.ts';
import { DIVIDE_PARCEL, excessOfModules, findOverfullParcel } from './parcel-size.ts';

function farmFileError(problems: readonly FileProblem[]): AcequiaError {
  return fileProblemsError(
    problems,
    say`Nothing was imported. Fix the file; acequia import --print-schema prints what it may hold.`,
  );
}

export function parseFarmFile(text: string): FarmFile {
  const json = parseJsonFile(text, 'farm file');
  const nul = findNulPath(json);
  if (nul)
    throw farmFileError([
      {
        path: formatPath(nul),
        description: say`contains the character U+0000, which cannot be stored.`,
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

const duplicateKeys = ({ users, parcels, gateways, modules }: FarmFile): FileProblem[] => [
  ...duplicatesIn('users', users, 'email', (user) => addressKey(user.email)),
  ...duplicatesIn('parcels', parcels, 'name', (parcel) => parcel.name),
  ...duplicatesIn('gateways', gateways, 'imei', (gateway) => gateway.imei),
  ...duplicatesIn('modules', modules, 'uid', (module) => module.uid),
  ...duplicatesIn('modules', modules, 'name', (module) => module.name),
  ...(modules ?? []).flatMap(({ sensors }, index) =>
    duplicatesIn(
      `modules[${index}].sensors`,
      sensors,
      'depth',
      ({ type, depth }) => `${type} at ${depth ?? 'no depth'}`,
    ),
  ),
];

/** A row without a key repeats no other. */
function duplicatesIn<T>(
  listPath: string,
  list: readonly T[] | undefined,
  field: string,
  keyOf: (row: T) => string | null | undefined,
): FileProblem[] {
  const firstIndex = new Map<string, number>();
  const problems: FileProblem[] = [];

  for (const [index, row] of (list ?? []).entries()) {
    const key = keyOf(row);
    if (key == null) continue;
    const first = firstIndex.get(key);
    if (first === undefined) firstIndex.set(key, index);
    else
      problems.push({
        path: `${listPath}[${index}].${field}`,
        description: say`repeats that of ${verbatim(listPath)}[${first}]: ${jsonExcerpt(key)}.`,
      });
  }

  return problems;
}

function invalidOutlines({ parcels = [] }: FarmFile): FileProblem[] {
  const problems: FileProblem[] = [];
  for (const [index, { geometry }] of parcels.entries()) {
    const fault = geometry && findOutlineFault(geometry);
    if (fault)
      problems.push({
        path: `parcels[${index}].geometry${fault.path}`,
        description: say`is not valid: expected ${fault.expected}.`,
      });
  }
  return problems;
}

const invalidLayers = ({ parcels = [] }: FarmFile): FileProblem[] =>
  parcels.flatMap(({ soilProfile = [] }, index) =>
    soilProfile.flatMap((layer, layerIndex) => {
      const path = `parcels[${index}].soilProfile[${layerIndex}]`;
      if (layer.depthBottomCm <= layer.depthTopCm)
        return [
          {
            path: `${path}.depthBottomCm`,
            description: say`is not valid: expected a bottom below the top.`,
          },
        ];

      const overlapped = soilProfile
        .slice(0, layerIndex)
        .findIndex((earlier) => layersOverlap(earlier, layer));
      if (overlapped < 0) return [];
      return [{ path, description: say`overlaps parcels[${index}].soilProfile[${overlapped}].` }];
    }),
  );

const incompletePositions = ({ gateways = [] }: FarmFile): FileProblem[] =>
  gateways.flatMap(({ status }, index) => {
    if (!status || (status.lat == null) === (status.lon == null)) return [];
    const missing = status.lat == null ? 'lat' : 'lon';
    return [
      {
        path: `gateways[${index}].status.${missing}`,
        description: say`is missing: a position needs both lat and lon.`,
      },
    ];
  });

// The checks above need the file alone and are reported together. Those below need the store, so
// that each is made, and throws, when what it compares with has been read.

export function assertReadableInstants(farm: FarmFile, zone: string): void {
  const problems: FileProblem[] = [];
  for (const [path, text] of instantsOf(farm)) {
    const parsed = text == null ? null : parseIsoStart(text, zone);
    if (parsed?.ok === false)
      problems.push({ path, description: say`is not valid: ${parsed.failure}.` });
  }
  if (problems.length > 0) throw farmFileError(problems);
}

type TextAtPath = readonly [path: string, text: string | null | undefined];

const instantsOf = ({ parcels = [], gateways = [], modules = [] }: FarmFile): TextAtPath[] => [
  ...parcels.map(
    ({ installation }, index): TextAtPath => [
      `parcels[${index}].installation.effectiveFrom`,
      installation?.effectiveFrom,
    ],
  ),
  ...gateways.flatMap(({ assignedAt, status }, index): TextAtPath[] => [
    [`gateways[${index}].assignedAt`, assignedAt],
    [`gateways[${index}].status.lastSeen`, status?.lastSeen],
  ]),
  ...modules.flatMap(({ commissionedAt, installation, calibration }, index): TextAtPath[] => [
    [`modules[${index}].commissionedAt`, commissionedAt],
    [`modules[${index}].installation.effectiveFrom`, installation?.effectiveFrom],
    ...(calibration ?? []).map(
      ({ from }, point): TextAtPath => [`modules[${index}].calibration[${point}].from`, from],
    ),
  ]),
];

/** `parcels` and `gateways` are those of the file and the store, by name and by IMEI. */
export function assertKnownReferences(
  { modules = [] }: FarmFile,
  parcels: ReadonlyMap<string, number>,
  gateways: ReadonlyMap<string, number>,
): void {
  const problems: FileProblem[] = [];
  const check = (
    path: string,
    kind: 'parcel' | 'gateway',
    name: string | null | undefined,
    known: ReadonlyMap<string, number>,
  ): void => {
    if (name == null || known.has(name)) return;
    const description = say`is ${verbatim(JSON.stringify(name))}, which is not a ${word(kind)} of the file or the store.`;
    problems.push({ path, description });
  };

  for (const [index, { parcel, gateway }] of modules.entries()) {
    check(`modules[${index}].parcel`, 'parcel', parcel, parcels);
    check(`modules[${index}].gateway`, 'gateway', gateway, gateways);
  }
  if (problems.length > 0) throw farmFileError(problems);
}

/** `parcelIds` are those of the file and the store by name, `stored` the stored modules by uid. */
export async function assertRoomInParcels(
  db: CompanyDb,
  { modules = [] }: FarmFile,
  parcelIds: ReadonlyMap<string, number>,
  stored: ReadonlyMap<string, FarmRow<'modules'>>,
): Promise<void> {
  const moves = modules.map(({ uid, parcel }) => {
    const from = stored.get(uid)?.parcel_id ?? null;
    const to = optional(parcel, (name) => entryOf(parcelIds, name));
    return { from, to: to === undefined ? from : to };
  });
  const overfull = await findOverfullParcel(db, moves);
  if (overfull === null) return;

  const { parcelId } = overfull;
  const index = moves.findIndex(({ from, to }) => to === parcelId && from !== parcelId);
  const name = verbatim(JSON.stringify(modules[index]?.parcel));
  const description = say`is ${name}, which ${excessOfModules(overfull)}. ${DIVIDE_PARCEL}`;
  throw farmFileError([{ path: `modules[${index}].parcel`, description }]);
}

/** `stored` are the modules of the store; the file may rename them. */
export function assertFreeNames(
  { modules = [] }: FarmFile,
  stored: readonly FarmRow<'modules'>[],
): void {
  const renamed = new Set(modules.filter(({ name }) => name !== undefined).map(({ uid }) => uid));
  const unrenamed = stored.filter(({ uid }) => !renamed.has(uid));
  const uidByName = new Map(unrenamed.map(({ name, uid }) => [name, uid]));

  const problems: FileProblem[] = [];
  for (const [index, { name }] of modules.entries()) {
    const uid = name == null ? undefined : uidByName.get(name);
    if (uid !== undefined)
      problems.push({
        path: `modules[${index}].name`,
        description: say`is ${verbatim(JSON.stringify(name))}, the name of module ${verbatim(JSON.stringify(uid))}.`,
      });
  }
  if (problems.length > 0) throw farmFileError(problems);
}

/** Another name is usually a typing error, and certainly if only case or accents differ. */
export async function assertSameCompany(
  all: Kysely<Tables>,
  name: string,
  isNewWanted: boolean,
): Promise<void> {
  const companies = await allCompanies(all);
  const namesake = companies.find((company) => foldText(company.name) === foldText(name));
  const conflict = namesake ?? (isNewWanted ? undefined : companies[0]);
  if (!conflict) return;

  const description = say`is ${verbatim(JSON.stringify(name))}, but the store holds ${verbatim(JSON.stringify(conflict.name))}.`;
  const problems = [{ path: 'company.name', description }];
  throw namesake
    ? farmFileError(problems)
    : fileProblemsError(
        problems,
        say`Nothing was imported. Correct the name. If it is another company: import it into another store (--db), or with --new-company into this one, where each assistant and program then needs a key of its company ("acequia keys create --preset assistant --company NAME").`,
      );
}

/** Says where in the file a refusal of `body` comes from. */
export async function withFilePath<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    const { code, status, texts } = error;
    const message = say`${verbatim(path)}: ${texts.message}`;
    throw new AcequiaError({ code, status, message, hint: texts.hint, field: path });
  }
}
