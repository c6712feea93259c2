import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { balanceOfTrial } from './balance.ts';
import { balanceByTools } from './balance-by-tools.ts';
import { balanceFigures } from './balance-cases.ts';
import { type BalanceFindings, balanceBars } from './balance-page.ts';
import { deficitBars, forecastBars, riseBars } from './bars.ts';
import { type CottonTrial, readCottonTrial } from './cotton-trial.ts';
import { doubtBars } from './doubt-section.ts';
import { type DryingSoil, openAgriSoil, sheepSoils } from './drying-soils.ts';
import { countFalseDoubts, type FalseDoubts } from './false-doubts.ts';
import { type Hindcast, hindcast } from './hindcast.ts';
import { type Hour, parseHours } from './openagri.ts';
import { type Section, validationPage } from './page.ts';
import {
  compareProfiles,
  type ProfileResult,
  SOIL_SCENARIOS,
  type SoilScenario,
} from './profiles.ts';
import { readPlots } from './pyfao56.ts';
import { findSimulatedRises, findStuckSensors } from './simulated-sensors.ts';
import { readTrials } from './trial-file.ts';
import {
  compareWettingEvents,
  compareWithGauge,
  findWettingEvents,
  type GaugeComparison,
} from './wetting-events.ts';

export { SECTIONS } from './page.ts';

const RAIN_MM = [1, 3, 5, 10];

/** A folder of data, and what a section needs of it. */
class ValidationData {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async hours(): Promise<Hour[]> {
    const file = join(this.#folder, 'openagri', 'OpenAgriIoTsensorsrecordings2024two.csv');
    return parseHours(await readFile(file, 'utf8'));
  }

  async dryingSoils(): Promise<DryingSoil[]> {
    const sheep = await sheepSoils(join(this.#folder, 'sheepweather'));
    return [openAgriSoil(await this.hours()), ...sheep];
  }

  async falseDoubts(
    profiles: ReadonlyMap<SoilScenario, readonly ProfileResult[]>,
  ): Promise<FalseDoubts[]> {
    const folder = join(this.#folder, 'sheepweather');
    const layers = profiles.get('layers') ?? [];
    return countFalseDoubts(folder, await this.hours(), layers, await this.cotton());
  }

  async profiles(): Promise<Map<SoilScenario, readonly ProfileResult[]>> {
    const plots = await readPlots(join(this.#folder, 'pyfao56'));
    const profiles = new Map<SoilScenario, readonly ProfileResult[]>();
    for (const scenario of SOIL_SCENARIOS) {
      progress(`Profiles: ${scenario}`);
      profiles.set(scenario, await compareProfiles(plots, scenario));
    }
    return profiles;
  }

  async cotton(): Promise<CottonTrial> {
    return readCottonTrial(join(this.#folder, 'pyfao56', 'cotton2018'));
  }

  async balance(): Promise<BalanceFindings> {
    const cotton = await this.cotton();
    const trials = [cotton, ...(await readTrials(join(this.#folder, 'trials')))];
    const byTools: BalanceFindings['byTools'][number][] = [];
    for (const trial of trials) {
      progress(`Water balance: ${trial.name}`);
      const { measured, read } = await balanceByTools(trial);
      const figures = { measured: balanceFigures(measured), read: balanceFigures(read) };
      byTools.push({ trial, ...figures });
    }
    return { byTrial: balanceFigures(balanceOfTrial(cotton)), byTools };
  }
}

const progress = (text: string): void => {
  process.stderr.write(`${text} …\n`);
};

/**
 * Writes the page to the file, or to standard output; false if something does not hold that must.
 * `only` computes and writes one section.
 */
export async function validate(
  folder: string,
  page: string | null,
  only: Section | null,
): Promise<boolean> {
  const data = new ValidationData(folder);
  const isWanted = (...sections: readonly Section[]): boolean =>
    only === null || sections.includes(only);

  const profiles = isWanted('deficit', 'stress', 'doubts') ? await data.profiles() : new Map();
  const rises = isWanted('rises') ? await findRises(data) : { rises: [], gauges: [] };
  const hindcasts: Hindcast[] = [];
  if (isWanted('days-to-stress'))
    for (const soil of await data.dryingSoils()) {
      progress(`Days to stress: ${soil.name}`);
      hindcasts.push(await hindcast(soil));
    }
  if (isWanted('simulation', 'rises')) progress('Simulated sensors');
  const simulatedRises = isWanted('simulation', 'rises') ? await findSimulatedRises() : [];
  const stuck = isWanted('simulation') ? await findStuckSensors() : [];

  const balance = isWanted('balance') ? await data.balance() : null;
  if (isWanted('doubts')) progress('False doubts');
  const falseDoubts = isWanted('doubts') ? await data.falseDoubts(profiles) : [];

  const bars = [
    ...(isWanted('deficit') ? deficitBars(profiles.get('line_by_thickness')!) : []),
    ...forecastBars(hindcasts),
    ...(isWanted('rises') ? riseBars(rises.rises, simulatedRises) : []),
    ...(balance === null ? [] : balanceBars(balance)),
    ...(isWanted('doubts') ? doubtBars(falseDoubts) : []),
  ];
  const findings = {
    bars,
    profiles,
    ...rises,
    hindcasts,
    simulatedRises,
    stuck,
    balance,
    falseDoubts,
  };
  const text = validationPage(findings, only);
  if (page === null) process.stdout.write(text);
  else await writeFile(page, text);
  return bars.every(({ isMet }) => isMet);
}

async function findRises(data: ValidationData) {
  progress('Rises');
  const hours = await data.hours();
  const found = await findWettingEvents(hours);
  const gauges: GaugeComparison[] = [];
  for (const soil of await data.dryingSoils()) gauges.push(await compareWithGauge(soil));
  return { rises: RAIN_MM.map((mm) => compareWettingEvents(hours, found, mm)), gauges };
}
