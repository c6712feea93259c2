import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod/v3';
import { entryOf } from '../../../src/domain/items.ts';
import { bareArgument } from '../../../src/domain/text/program-names.ts';
import { spokenArgument } from '../../../src/language/text/spoken-argument.ts';
import { argumentWordsOf } from '../../../src/operation/arguments/argument-words.ts';
import { toolFields } from '../../../src/operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { variantsOf } from '../../../src/operation/operation-fields.ts';
import { innerSchema } from '../../../src/schema/field.ts';
import { operations, toolsByName } from '../../../tools/index.ts';

it.each([
  ['log_watering', 'module', 'probe'],
  ['log_watering', 'moduleId', 'probe'],
  ['log_watering', 'parcel', 'parcel'],
  ['log_watering', 'ownerEmail', 'ownerEmail'],
  ['log_watering', 'startedAt', 'start'],
  ['log_watering', 'durationMin', 'duration'],
  ['correct_watering', 'clear', 'list of what to empty'],
  ['log_watering', 'idempotencyKey', 'key against double entries'],
  ['correct_watering', 'eventId', 'watering'],
  ['correct_installation', 'versionId', 'version of the equipment'],
  ['list_waterings', 'to', 'end of the period'],
  ['list_modules', 'limit', 'number of rows'],
  ['create_schedule', 'startTimes.0', 'start time 1'],
  ['set_probe_settings', 'depthWeights', 'list of weights by depth'],
  ['set_probe_settings', 'depthWeights.2', 'weight 3'],
  ['set_soil_profile', 'layers', 'list of layers'],
  ['set_soil_profile', 'layers.1', 'layer 2'],
  ['set_soil_profile', 'layers.1.depthTopCm', 'top of a layer, in layer 2,'],
  ['generalize_installation', 'dropSiblings', 'choice whether to end the setups of other probes'],
  ['create_schedule', 'isActive', 'choice whether it is active'],
  ['create_schedule', 'weekdays.2', 'weekday 3'],
  ['import_readings', 'csv', 'text of the file'],
  ['assign_device', 'since', 'start'],
  ['create_annotation', 'until', 'end'],
  ['create_annotation', 'p1.0', 'first point, number 1'],
  ['set_parcel', 'outline.3', 'corner 4 of the outline'],
  ['set_company', 'units', 'choice of units'],
  ['correct_rain', 'rainId', 'rain record'],
])('says an argument in the words of its field: %s, %s', (tool, path, words) => {
  const wordsOf = argumentWordsOf(entryOf(toolsByName, tool));
  expect(spokenArgument(bareArgument(path), wordsOf)).toBe(words);
});

/** Their names read well after "the", with "is" after them. */
const PLAIN_NAMES = new Set([
  ...['calibration', 'category', 'city', 'currency', 'cursor', 'device', 'end', 'gateway'],
  ...[
    'interval',
    'label',
    'latitude',
    'longitude',
    'mulch',
    'name',
    'note',
    'order',
    'outline',
    'parcel',
  ],
  ...['region', 'stage', 'start', 'status', 'style', 'text', 'theme', 'threshold', 'unit', 'view'],
]);

/** Arguments, the items of lists and the members of these; what is deeper has no words. */
function pathsOf(operation: AnyOperation): string[][] {
  const paths: string[][] = [];
  for (const [argument, { schema }] of toolFields(operation).byArgument) {
    paths.push([argument]);
    const list = innerSchema(schema);
    if (!(list instanceof z.ZodArray)) continue;

    paths.push([argument, '0']);
    const item = innerSchema(list.element);
    const members = item instanceof z.ZodObject ? Object.keys(item.shape) : [];
    paths.push(...members.map((member) => [argument, '0', member]));
  }
  return paths;
}

it.each([...toolsByName])('has words for every argument that is no plain noun: %s', (_, tool) => {
  const wordsOf = argumentWordsOf(tool);

  const isWordless = (path: readonly string[]): boolean => [null, ...path].includes(wordsOf(path));
  const wordless = variantsOf(tool)
    .flatMap(pathsOf)
    .filter((path) => !PLAIN_NAMES.has(path.join('.')) && isWordless(path));
  expect(wordless).toEqual([]);
});

/** Only hints name these, which a model reads: an answer to a question, and members of a list. */
const IN_HINTS_ALONE = ['confirm', 'depthBottomCm', 'depthTopCm', 'soilHorizonId'];

it('has words for every argument that the program names', () => {
  const folder = join(import.meta.dirname, '../../../src');
  const named = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts'))
      for (const [, name = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
        /\b(?:argument|bareArgument)\('(\w+)'\)/g,
      ))
        named.add(name);

  const words = operations.map(argumentWordsOf);
  const wordless = [...named].filter((name) => words.every((wordsOf) => wordsOf([name]) === null));
  expect(named.size).toBeGreaterThan(40);
  expect(wordless.sort()).toEqual(IN_HINTS_ALONE);
});
