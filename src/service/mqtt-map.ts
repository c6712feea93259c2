import { type GatewaysRule, type MqttMap, mqttMap, type ReadingsRule } from '../schema/mqtt-map.ts';
import { type FileProblem, fileProblemsError, parseJsonFile, schemaProblems } from './json-faults.ts';
import { placeholderNames, toSubscription } from './mqtt-topics.ts';

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
