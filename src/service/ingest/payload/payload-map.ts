import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { itemAt } from '../../../domain/items.ts';
import { MAX_TOPIC_TEXT } from '../../../domain/text/greatest-lengths.ts';
import { quotedName, say, verbatim } from '../../../domain/text/say.ts';
import { invalidInputError } from '../../../schema/error.ts';
import {
  type DeviceTableEntry,
  deviceTable,
  type GatewaysRule,
  type PayloadMap,
  payloadMap,
  type ReadingsRule,
} from '../../../schema/ingest/payload-map.ts';
import {
  type FileProblem,
  fileProblemsError,
  parseJsonFile,
  schemaProblems,
} from '../../json-file-problems.ts';
import { isFieldPattern } from './field-patterns.ts';

/**
 * Named levels of a topic, as in "farm/{module}/soil". Source of the rules on wildcards: MQTT
 * 3.1.1, section 4.7.
 */
export type TopicLevels = Readonly<Record<string, string>>;

export const toSubscription = (pattern: string): string =>
  splitLevels(pattern)
    .map((level) => (level.startsWith('{') ? '+' : level))
    .join('/');

export function matchTopic(pattern: string, topic: string): TopicLevels | null {
  if (topic.length > MAX_TOPIC_TEXT) return null;

  const patternLevels = splitLevels(pattern);
  const levels = splitLevels(topic);
  // A wildcard does not match the broker's own topics.
  if (topic.startsWith('$') && !pattern.startsWith('$')) return null;

  const hasTail = patternLevels.at(-1) === '#';
  if (hasTail ? levels.length < patternLevels.length - 1 : levels.length !== patternLevels.length)
    return null;

  const namedLevels: Record<string, string> = {};
  for (const [index, level] of patternLevels.entries()) {
    if (level === '#') break;
    const value = itemAt(levels, index);
    if (NAMED_LEVEL.test(level)) {
      const names = namesInLevel(level, value);
      if (names === null) return null;
      Object.assign(namedLevels, names);
    } else if (level !== '+' && level !== value) return null;
  }

  return namedLevels;
}

export interface MatchedRule<R> {
  readonly rule: R;
  readonly levels: TopicLevels;
  readonly index: number;
}

/** If the topic is null, every rule applies. */
export const matchRules = <R extends { readonly topic?: string | undefined }>(
  rules: readonly R[] = [],
  topic: string | null,
): MatchedRule<R>[] =>
  rules.flatMap((rule, index) => {
    const levels = topic === null || rule.topic === undefined ? {} : matchTopic(rule.topic, topic);
    return levels === null ? [] : [{ rule, levels, index }];
  });

/** "{device}_moisture", or "{device}_moisture_{channel}", where the second name is a number. */
const NAMED_LEVEL = /^\{(\w+)\}([^{]*)(?:\{(\w+)\}(.*))?$/s;

/** Null if the level of a topic is not as the pattern has it. */
function namesInLevel(pattern: string, level: string): TopicLevels | null {
  const [, name = '', text = '', numberName, ending = ''] = NAMED_LEVEL.exec(pattern) ?? [];
  if (numberName === undefined)
    return level.endsWith(text) ? { [name]: level.slice(0, level.length - text.length) } : null;

  const start = level.endsWith(ending) ? level.slice(0, level.length - ending.length) : '';
  const [number] = /(?<!\d)\d+$/.exec(start) ?? [];
  if (number === undefined) return null;

  const names = namesInLevel(`{${name}}${text}`, start.slice(0, -number.length));
  return names === null ? null : { ...names, [numberName]: number };
}

export function fillPlaceholders(text: string, levels: TopicLevels): string | null {
  let isComplete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    isComplete &&= Object.hasOwn(levels, name);
    return levels[name] ?? '';
  });
  return isComplete ? filled : null;
}

const placeholderNames = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const splitLevels = (topic: string): string[] => topic.split('/');

const MAP_HINT = say`Fix the map; docs/ingest.md shows what it may contain.`;

export function parsePayloadMap(text: string): PayloadMap {
  const parsed = payloadMap.safeParse(parseJsonFile(text, 'map'));
  if (!parsed.success) throw fileProblemsError(schemaProblems(payloadMap, parsed.error), MAP_HINT);

  const problems = mapProblems(parsed.data);
  if (problems.length > 0) throw fileProblemsError(problems, MAP_HINT);

  const { devices } = parsed.data;
  return devices === undefined ? parsed.data : { ...parsed.data, devices: byStoredName([devices]) };
}

function mapProblems({ readings = [], gateways = [] }: PayloadMap): FileProblem[] {
  const problems: FileProblem[] = [];
  if (readings.length + gateways.length === 0)
    problems.push({ path: 'The map', description: say`names no topic.` });

  for (const [index, rule] of readings.entries()) {
    const path = `readings[${index}]`;
    problems.push(...missingLevels(path, rule.topic ?? '', topicFieldsOfReadings(rule)));
    if (rule.values.length + (rule.battery ?? []).length === 0)
      problems.push({
        path: `${path}.values`,
        description: say`names no value, and battery no battery.`,
      });
  }

  for (const [index, rule] of gateways.entries())
    problems.push(...missingLevels(`gateways[${index}]`, rule.topic, topicFieldsOfGateways(rule)));
  return problems;
}

export function parseDeviceTable(text: string): Record<string, DeviceTableEntry> {
  const parsed = deviceTable.safeParse(parseJsonFile(text, 'list of devices'));
  if (!parsed.success)
    throw fileProblemsError(
      schemaProblems(deviceTable, parsed.error),
      say`Write { "EUI or name": { "module": "North 1", "depth": 30 } } for each device.`,
    );
  return byStoredName([parsed.data]);
}

/** One table of several, by the names under which devices are stored. Throws if two name one device. */
export function byStoredName(
  tables: readonly Readonly<Record<string, DeviceTableEntry>>[],
): Record<string, DeviceTableEntry> {
  const table: Record<string, DeviceTableEntry> = Object.create(null);
  for (const [name, entry] of tables.flatMap((each) => Object.entries(each))) {
    const device = normalizeDeviceId(name);
    const other = table[device];
    if (other !== undefined)
      throw invalidInputError(
        'invalid_body',
        say`The device ${quotedName(device)} is named twice, for ${quotedName(other.module)} and for ${quotedName(entry.module)}.`,
        { hint: say`Keep one of the two entries.`, field: 'devices' },
      );
    table[device] = entry;
  }
  return table;
}

export const mapTopics = ({ readings = [], gateways = [] }: PayloadMap): string[] => [
  ...new Set([...readings, ...gateways].flatMap(({ topic }) => topic ?? [])),
];

/** The topics that hold the units of values. */
export const unitTopics = ({ readings = [] }: PayloadMap): string[] =>
  readings.flatMap(({ values }) =>
    values.flatMap(({ unit }) => (typeof unit === 'object' && 'topic' in unit ? unit.topic : [])),
  );

export const mapSubscriptions = (map: PayloadMap): string[] => [
  ...new Set([...mapTopics(map), ...unitTopics(map)].map(toSubscription)),
];

/** The module of a device and the depths of its sensors, from the top. */
export function findAssignment({ devices = {} }: PayloadMap, device: string) {
  const assignment = Object.hasOwn(devices, device) ? devices[device] : undefined;
  if (assignment === undefined) return undefined;
  const { module, depth, depths = depth === undefined ? [] : [depth] } = assignment;
  return { module, depths };
}

type TopicField = readonly [field: string, text: string];

function topicFieldsOfReadings({
  device,
  module = '{module}',
  values,
}: ReadingsRule): TopicField[] {
  const fields: TopicField[] = [];
  if (device === undefined && typeof module === 'string') fields.push(['module', module]);
  if (typeof device === 'string') fields.push(['device', device]);
  for (const [index, { path, type, depth, channel }] of values.entries()) {
    fields.push([`values[${index}].type`, type]);
    if (isFieldPattern(path)) continue;
    if (typeof depth === 'string') fields.push([`values[${index}].depth`, depth]);
    if (typeof channel === 'string') fields.push([`values[${index}].channel`, channel]);
  }
  return fields;
}

const topicFieldsOfGateways = ({ imei = '{imei}' }: GatewaysRule): TopicField[] =>
  typeof imei === 'string' ? [['imei', imei]] : [];

const missingLevels = (path: string, topic: string, fields: readonly TopicField[]): FileProblem[] =>
  fields.flatMap(([field, text]) =>
    placeholderNames(text)
      .filter((name) => !placeholderNames(topic).includes(name))
      .map((name) => ({
        path: `${path}.${field}`,
        description: say`needs a level {${verbatim(name)}}, which the topic does not have.`,
      })),
  );
