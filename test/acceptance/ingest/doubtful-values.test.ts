import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, startCommand, waitWhileRunning } from '../program.ts';
import { startTestBroker } from './mqtt-broker.ts';

const TEMPERATURE = 'homeassistant/sensor/bed_temperature';

/** Publishes on a broker what Home Assistant does, and waits for the readings of the device. */
async function publishTemperatures(db: string, messages: readonly [string, string][]) {
  const broker = await startTestBroker();
  const preset = ['--preset', 'home-assistant/soil-sensor', '--broker', broker.url];
  const running = startCommand(['ingest', 'mqtt', ...preset, '--db', db, '--clock', CLOCK]);
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));
  for (const [topic, text] of messages) await broker.publish(topic, text);
  await broker.publish('homeassistant/sensor/end_moisture/state', '20');
  await waitWhileRunning(
    running,
    async () => (await rowsOf(db, "select 1 from devices where name = 'end'")).length > 0,
  );
  await running.stop();
}

const run = async (db: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runInProcess([...args, '--db', db, '--clock', CLOCK]);
  expect(code, stderr).toBeLessThan(2);
  return stdout.replace(/\s+/g, ' ');
};

const temperatures = (db: string) =>
  rowsOf(
    db,
    "select r.value from readings r join sensors s on s.id = r.sensor_id where s.type = 'temperature'",
  );

describe('a temperature of Home Assistant', () => {
  it('has the unit of its entity', async () => {
    const db = await newBaseFarm();
    await run(db, 'ingest', 'assign', 'bed', 'North 1', '20');
    // As mqtt_statestream publishes them with publish_attributes: an attribute is JSON.
    await publishTemperatures(db, [
      [`${TEMPERATURE}/unit_of_measurement`, '"\\u00b0F"'],
      [`${TEMPERATURE}/state`, '68.9'],
    ]);
    expect(await temperatures(db)).toEqual([{ value: 20.5 }]);
  });

  it('is rejected in a unit that is unknown', async () => {
    const db = await newBaseFarm();
    await publishTemperatures(db, [
      [`${TEMPERATURE}/unit_of_measurement`, '"hPa"'],
      [`${TEMPERATURE}/state`, '1013'],
    ]);
    expect(await run(db, 'ingest', 'devices')).toContain(
      'bed gave nothing less than a minute ago by homeassistant/sensor/bed_temperature/state: the unit "hPa" of temperature is unknown',
    );
  });

  it('that no soil has is stored, and named by the brief and the doctor', async () => {
    const db = await newBaseFarm();
    await run(db, 'ingest', 'assign', 'bed', 'North 1', '20');
    await publishTemperatures(db, [[`${TEMPERATURE}/state`, '68.9']]);
    expect(await temperatures(db)).toEqual([{ value: 68.9 }]);
    expect(await run(db, 'call', 'morning_brief')).toContain(
      'Doubtful temperatures, warmer than any soil: 68.9 °C at 20 cm of North 1. Check whether the sensor sends °F, or is broken.',
    );
    expect(await run(db, 'doctor')).toContain(
      'doubtful temperature: 68.9 °C at 20 cm of "North 1"',
    );
  });
});
