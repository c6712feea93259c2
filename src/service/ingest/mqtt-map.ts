import { type GatewaysRule, type MqttMap, mqttMap, type ReadingsRule } from '../../schema/mqtt-map.ts';
import { type FileProblem, fileProblemsError, parseJsonFile, schemaProblems } from '../json-file-problems.ts';

/** Topics with named levels: "farm/{module}/soil". Source of the rules on levels and wildcards: MQTT 3.1.1, section 4.7. */

/** The levels of a topic by name. */
export type TopicLevels = Readonly<Record<string, string>>;

/** What a broker is asked for: named levels as the wildcard for one level. */
export const toSubscription = (pattern: string): string =>
  splitLevels(pattern)
    .map((level) => (level.startsWith('{') ? '+' : level))
    .join('/');

/** The named levels of a topic that a pattern covers; null for any other topic. */
export function matchTopic(pattern: string, topic: string): TopicLevels | null {
  const patternLevels = splitLevels(pattern);
  const levels = splitLevels(topic);
  // Topics of the broker's own are not meant by a wildcard.
  if (topic.startsWith('$') && !pattern.startsWith('$')) return null;
  const hasTail = patternLevels.at(-1) === '#';
  if (hasTail ? levels.length < patternLevels.length - 1 : levels.length !== patternLevels.length) return null;
  const parts: Record<string, string> = {};
  for (const [at, level] of patternLevels.entries()) {
    if (level === '#') break;
    const found = levels[at]!;
    if (level.startsWith('{')) parts[level.slice(1, -1)] = found;
    else if (level !== '+' && level !== found) return null;
  }
  return parts;
}

/** A text with named levels put in; null where it names one that the topic has not. */
export function fillPlaceholders(text: string, parts: TopicLevels): string | null {
  let isWhole = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    isWhole &&= Object.hasOwn(parts, name);
    return parts[name] ?? '';
  });
  return isWhole ? filled : null;
}

/** The names that a text wants of a topic, and a pattern gives. */
export const placeholderNames = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const splitLevels = (topic: string): string[] => topic.split('/');

const MAP_HINT = 'Mend the map; docs/ingest.md shows what it may hold.';

/** Reads a map file; refuses one that is not sound with the places of its faults. */
export function parseMqttMap(text: string): MqttMap {
  const parsed = mqttMap.safeParse(parseJsonFile(text, 'map'));
  if (!parsed.success) throw fileProblemsError(schemaProblems(mqttMap, parsed.error), MAP_HINT);
  const { readings = [], gateways = [] } = parsed.data;
  const faults = [
    ...(readings.length + gateways.length === 0 ? [{ path: 'The map', description: 'names no topic.' }] : []),
    ...readings.flatMap((rule, index) => missingLevels(`readings[${index}]`, rule.topic, topicFieldsOfReadings(rule))),
    ...gateways.flatMap((rule, index) => missingLevels(`gateways[${index}]`, rule.topic, topicFieldsOfGateways(rule))),
  ];
  if (faults.length > 0) throw fileProblemsError(faults, MAP_HINT);
  return parsed.data;
}

/** What a broker is asked for, each topic once. */
export const mapSubscriptions = ({ readings = [], gateways = [] }: MqttMap): string[] => [
  ...new Set([...readings, ...gateways].map(({ topic }) => toSubscription(topic))),
];

/** A field that takes something from the topic. */
type TopicField = readonly [field: string, text: string];

const topicFieldsOfReadings = ({ module = '{module}', values }: ReadingsRule): TopicField[] => [
  ...(typeof module === 'string' ? [['module', module] as const] : []),
  ...values.flatMap(({ type, depth }, index): TopicField[] => [
    [`values[${index}].type`, type],
    ...(typeof depth === 'string' ? [[`values[${index}].depth`, depth] as const] : []),
  ]),
];

const topicFieldsOfGateways = ({ imei = '{imei}' }: GatewaysRule): TopicField[] =>
  typeof imei === 'string' ? [['imei', imei]] : [];

const missingLevels = (path: string, topic: string, fields: readonly TopicField[]): FileProblem[] =>
  fields.flatMap(([field, text]) =>
    placeholderNames(text)
      .filter((name) => !placeholderNames(topic).includes(name))
      .map((name) => ({ path: `${path}.${field}`, description: `needs a level {${name}}, which the topic has not.` })),
  );
