import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_TOPIC_TEXT } from '../../../../src/domain/text/greatest-lengths.ts';
import { newBaseFarm } from '../../../base-farm.ts';
import { newFolder } from '../../../temporary-places.ts';
import { HOUR } from '../../../time.ts';
import { startTestBroker } from '../../ingest/mqtt-broker.ts';
import { allAcknowledged, CLIENT, MAP, moistureMessage } from '../../ingest/mqtt-ingest.ts';
import { CLOCK, startCommand, waitWhileRunning } from '../../program.ts';
import { EventLoopWatch, excessStretch } from './event-loop.ts';
import { hostileShapes } from './hostile-shapes.ts';

const [soil] = MAP.readings;
const READINGS = [
  soil,
  { ...soil, topic: 'site/{module}/#' },
  { ...soil, topic: 'home/{device}_moisture', device: '{device}' },
  {
    topic: 'hall/{device}_moisture_{channel}',
    device: '{device}',
    time: 'arrival',
    values: [{ path: 'h.0', type: 'humidity', channel: '{channel}' }],
  },
];

/** The length in characters, each of which takes at most two of the 65,535 bytes of a topic. */
const OVERLONG = 30_000;

/** The broker of the tests refuses more. */
const MAX_LEVELS = 100;

const inOneLevel = (text: string): string => text.replaceAll('/', '-');

/** None of them empty: the broker of the tests would deliver the message twice. */
const inLevels = (text: string): string =>
  text
    .split(/\W+/)
    .filter(Boolean)
    .slice(0, MAX_LEVELS - 2)
    .join('/');

type TopicWith = (text: string) => string;
const TOPICS: readonly (readonly [place: string, TopicWith])[] = [
  ['the place of a module', (text) => `farm/${inOneLevel(text)}/soil`],
  ['the place of a device within a level', (text) => `home/${inOneLevel(text)}_moisture`],
  ['the place of an input within a level', (text) => `hall/a_moisture_${inOneLevel(text)}`],
  ['the levels below the first', (text) => `site/${inOneLevel(text)}`],
  ['many levels', (text) => `site/${inLevels(text)}`],
];

async function startWatchedIngest() {
  const [broker, watch] = [await startTestBroker(), await EventLoopWatch.create()];
  const map = join(await newFolder(), 'map.json');
  await writeFile(map, JSON.stringify({ readings: READINGS }));
  const source = ['--broker', broker.url, '--map', map, '--client-id', CLIENT];
  const store = ['--db', await newBaseFarm(), '--clock', CLOCK];
  const running = startCommand(['ingest', 'mqtt', ...source, ...store], { env: watch.env });
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));

  let sent = 0;
  const send = async (topic: string): Promise<void> => {
    await broker.publish(topic, moistureMessage(sent++));
    await allAcknowledged(broker);
  };
  const messages = async (): Promise<number> =>
    Number(/^(\d+) messages/m.exec((await running.stop()).stdout)?.[1]);
  return { watch, send, messages, sent: () => sent };
}

describe('a hostile topic holds the event loop no longer than a harmless one', {
  timeout: HOUR,
}, () => {
  it.each(TOPICS)('in %s', async (_, topicWith) => {
    const { watch, send, messages, sent } = await startWatchedIngest();
    for (const length of [MAX_TOPIC_TEXT - 20, OVERLONG])
      for (const shape of hostileShapes('A1')) {
        const text = shape.textOf(length);
        const ms = await excessStretch(watch, (each) => send(topicWith(each)), text);
        expect(ms, `${length} of ${shape.name}`).toBe(0);
      }
    expect(await messages()).toBe(sent());
  });
});
