import { findOutlineFault } from '../../domain/company/geometry.ts';
import { layersOverlap } from '../../domain/soil/soil-profile.ts';
import { findNulPath, withWellFormedTexts } from '../../operation/arguments/argument-validation.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { type FarmFile, farmFile } from '../../schema/imports/farm-file.ts';
import {
  type FileProblem,
  fileProblemsError,
  formatPath,
  jsonExcerpt,
  parseJsonFile,
  schemaProblems,
} from '../json-file-problems.ts';

export function farmFileError(faults: readonly FileProblem[]): AcequiaError {
  return fileProblemsError(
    faults,
    'Nothing was imported. Fix the file; acequia import --print-schema prints what it may hold.',
  );
}

export function parseFarmFile(text: string): FarmFile {
  const json = parseJsonFile(text, 'farm file');
  const nul = findNulPath(json);
  if (nul)
    throw farmFileError([
      { path: formatPath(nul), description: 'contains the character U+0000, which cannot be stored.' },
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
  const repeats = <T>(
    list: readonly T[] | undefined,
    place: string,
    key: string,
    keyOf: (each: T) => string | null | undefined,
  ): FileProblem[] => {
    const first = new Map<string, number>();
    return (list ?? []).flatMap((each, index) => {
      const value = keyOf(each);
      if (value == null) return [];
      const before = first.get(value);
      if (before === undefined) first.set(value, index);
      return before === undefined
        ? []
        : [
            {
              path: `${place}[${index}].${key}`,
              description: `repeats that of ${place}[${before}]: ${jsonExcerpt(value)}.`,
            },
          ];
    });
  };
  return [
    ...repeats(farm.users, 'users', 'email', (user) => user.email.toLowerCase()),
    ...repeats(farm.parcels, 'parcels', 'name', (parcel) => parcel.name),
    ...repeats(farm.gateways, 'gateways', 'imei', (gateway) => gateway.imei),
    ...repeats(farm.modules, 'modules', 'uid', (module) => module.uid),
    ...repeats(farm.modules, 'modules', 'name', (module) => module.name),
    ...(farm.modules ?? []).flatMap(({ sensors }, index) =>
      repeats(sensors, `modules[${index}].sensors`, 'depth', ({ type, depth }) => `${type} at ${depth ?? 'no depth'}`),
    ),
  ];
}

const invalidOutlines = (farm: FarmFile): FileProblem[] =>
  (farm.parcels ?? []).flatMap(({ geometry }, index) => {
    const fault = geometry && findOutlineFault(geometry);
    return fault
      ? [{ path: `parcels[${index}].geometry${fault.path}`, description: `is not valid: expected ${fault.expected}.` }]
      : [];
  });

const invalidLayers = (farm: FarmFile): FileProblem[] =>
  (farm.parcels ?? []).flatMap(({ soilProfile = [] }, index) =>
    soilProfile.flatMap((layer, at) => {
      const path = `parcels[${index}].soilProfile[${at}]`;
      if (layer.depthBottomCm <= layer.depthTopCm)
        return [{ path: `${path}.depthBottomCm`, description: 'is not valid: expected a bottom below the top.' }];
      const other = soilProfile.findIndex((each, before) => before < at && layersOverlap(each, layer));
      return other < 0 ? [] : [{ path, description: `overlaps parcels[${index}].soilProfile[${other}].` }];
    }),
  );

const incompletePositions = (farm: FarmFile): FileProblem[] =>
  (farm.gateways ?? []).flatMap(({ status }, index) => {
    if (!status || (status.lat == null) === (status.lon == null)) return [];
    const missing = status.lat == null ? 'lat' : 'lon';
    return [
      { path: `gateways[${index}].status.${missing}`, description: 'is missing: a position needs both lat and lon.' },
    ];
  });
