import { parseBrokerAddress } from '../ingest/broker-address.ts';
import { loadMap } from '../ingest/map-options.ts';
import { readMailSettings } from '../mail/mail-settings.ts';
import type { Variables } from '../process/env-file.ts';
import { readForecastAddress } from '../process/job-setup.ts';
import { splitList } from '../process/option-parsers.ts';
import { KEPT_PROGRAMS, type KeptProgram } from './platforms/service-platform.ts';

/** Throws for settings with which a program would not start, or jobs would leave something out. */
export async function neededPrograms(variables: Variables): Promise<KeptProgram[]> {
  readMailSettings(variables);
  readForecastAddress(variables);
  if (!(await hasBroker(variables))) return [KEPT_PROGRAMS.serve];
  return [KEPT_PROGRAMS.serve, KEPT_PROGRAMS.mqtt];
}

async function hasBroker({
  ACEQUIA_MQTT_URL: url,
  ACEQUIA_MQTT_PRESET: presets,
  ACEQUIA_MQTT_MAP: map,
  ACEQUIA_MQTT_DEVICES: devices,
  ACEQUIA_MQTT_TOPIC: topic,
}: Variables): Promise<boolean> {
  if (url === undefined && presets === undefined && map === undefined) return false;

  const preset = presets === undefined ? undefined : splitList(presets);
  const loaded = await loadMap({ preset, map, devices, topic });
  parseBrokerAddress(url ?? loaded.broker);
  return true;
}
