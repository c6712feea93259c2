import { expect, it } from 'vitest';
import { entryOf } from '../../../src/domain/items.ts';
import { bareArgument } from '../../../src/domain/text/program-names.ts';
import { spokenArgument } from '../../../src/language/text/spoken-argument.ts';
import { argumentWordsOf } from '../../../src/operation/arguments/argument-words.ts';
import { toolsByName } from '../../../tools/index.ts';

it.each([
  ['log_watering', 'module', 'probe'],
  ['log_watering', 'startedAt', 'start'],
  ['log_watering', 'durationMin', 'duration'],
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
  ['create_schedule', 'isActive', 'choice whether it is active'],
  ['create_schedule', 'weekdays.2', 'weekday 3'],
  ['import_readings', 'csv', 'text of the file'],
  ['assign_device', 'since', 'start'],
  ['create_annotation', 'until', 'end'],
  ['create_annotation', 'p1.0', 'first point, number 1'],
  ['set_parcel', 'outline.3', 'corner of the outline 4'],
  ['set_company', 'units', 'choice of units'],
  ['correct_rain', 'rainId', 'rain record'],
])('says an argument in the words of its field: %s, %s', (tool, path, words) => {
  const wordsOf = argumentWordsOf(entryOf(toolsByName, tool));
  expect(spokenArgument(bareArgument(path), wordsOf)).toBe(words);
});
