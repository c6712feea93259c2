import { type GatewaysRule, type MqttMap, mqttMap, type ReadingsRule } from '../schema/mqtt-map.ts';
import { type Fault, faultsIn, jsonOf, refusalOfFaults } from './json-faults.ts';
import { namesIn, subscriptionOf } from './mqtt-topics.ts';

const HINT = 'Mend the map; docs/ingest.md shows what it may hold.';

/** Reads a map file; refuses one that is not sound with the places of its faults. */
export function readMap(text: string): MqttMap {
  const parsed = mqttMap.safeParse(jsonOf(text, 'map'));
  if (!parsed.success) throw refusalOfFaults(faultsIn(mqttMap, parsed.error), HINT);
  const { readings = [], gateways = [] } = parsed.data;
  const faults = [
    ...(readings.length + gateways.length === 0 ? [{ path: 'The map', says: 'names no topic.' }] : []),
    ...readings.flatMap((rule, index) => levelsMissing(`readings[${index}]`, rule.topic, wantedByReadings(rule))),
    ...gateways.flatMap((rule, index) => levelsMissing(`gateways[${index}]`, rule.topic, wantedByGateways(rule))),
  ];
  if (faults.length > 0) throw refusalOfFaults(faults, HINT);
  return parsed.data;
}

/** What a broker is asked for, each topic once. */
export const subscriptionsOf = ({ readings = [], gateways = [] }: MqttMap): string[] => [
  ...new Set([...readings, ...gateways].map(({ topic }) => subscriptionOf(topic))),
];

/** A field that takes something from the topic. */
type Wanted = readonly [field: string, text: string];

const wantedByReadings = ({ module = '{module}', values }: ReadingsRule): Wanted[] => [
  ...(typeof module === 'string' ? [['module', module] as const] : []),
  ...values.flatMap(({ type, depth }, index): Wanted[] => [
    [`values[${index}].type`, type],
    ...(typeof depth === 'string' ? [[`values[${index}].depth`, depth] as const] : []),
  ]),
];

const wantedByGateways = ({ imei = '{imei}' }: GatewaysRule): Wanted[] =>
  typeof imei === 'string' ? [['imei', imei]] : [];

const levelsMissing = (path: string, topic: string, wanted: readonly Wanted[]): Fault[] =>
  wanted.flatMap(([field, text]) =>
    namesIn(text)
      .filter((name) => !namesIn(topic).includes(name))
      .map((name) => ({ path: `${path}.${field}`, says: `needs a level {${name}}, which the topic has not.` })),
  );
