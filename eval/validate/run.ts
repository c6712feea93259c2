import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deficitBars, forecastBars, riseBars } from './bars.ts';
import { hindcast } from './hindcast.ts';
import { parseHours } from './openagri.ts';
import { type Findings, validationPage } from './page.ts';
import {
  compareProfiles,
  type ProfileResult,
  SOIL_SCENARIOS,
  type SoilScenario,
} from './profiles.ts';
import { readPlots } from './pyfao56.ts';
import { findSimulatedRises, findStuckSensors } from './simulated-sensors.ts';
import { compareWettingEvents, findWettingEvents } from './wetting-events.ts';

const RAIN_MM = [1, 3, 5, 10];

/**
 * Writes the page to the file, or to standard output; false if something does not hold that must.
 */
export async function validate(folder: string, page: string | null): Promise<boolean> {
  const progress = (text: string): void => {
    process.stderr.write(`${text} …\n`);
  };
  const plots = await readPlots(join(folder, 'pyfao56'));
  const hours = parseHours(
    await readFile(join(folder, 'openagri', 'OpenAgriIoTsensorsrecordings2024two.csv'), 'utf8'),
  );
  const profiles = new Map<SoilScenario, readonly ProfileResult[]>();
  for (const scenario of SOIL_SCENARIOS) {
    progress(`Profiles: ${scenario}`);
    profiles.set(scenario, await compareProfiles(plots, scenario));
  }
  progress('Rises');
  const found = await findWettingEvents(hours);
  progress('Days to stress');
  const days = await hindcast(hours);
  progress('Simulated sensors');
  const rises = RAIN_MM.map((mm) => compareWettingEvents(hours, found, mm));
  const simulatedRises = await findSimulatedRises();
  const stuck = await findStuckSensors();
  const bars = [
    ...deficitBars(profiles.get('line_by_thickness')!),
    ...forecastBars(days),
    ...riseBars(rises, simulatedRises),
  ];
  const findings: Findings = { bars, profiles, rises, hindcast: days, simulatedRises, stuck };
  const text = validationPage(findings);
  if (page === null) process.stdout.write(text);
  else await writeFile(page, text);
  return bars.every(({ isMet }) => isMet);
}
