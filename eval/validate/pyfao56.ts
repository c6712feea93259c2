import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Measured soil water and parameters of one plot in the files of pyfao56. Depths in cm, water
 * contents in m3/m3.
 */
export interface Plot {
  readonly name: string;
  readonly soil: readonly SoilLayer[];
  /** Depletion fraction p. */
  readonly allowedDepletion: number;
  readonly profiles: readonly Profile[];
}

export interface SoilLayer {
  readonly bottomCm: number;
  readonly fieldCapacity: number;
  readonly wiltingPoint: number;
}

export interface Profile {
  /** Midnight UTC of the day. */
  readonly day: number;
  readonly rootDepthCm: number;
  readonly layers: readonly { readonly bottomCm: number; readonly water: number }[];
  /** mm; a layer above field capacity offsets the others. */
  readonly depletionMm: number;
  /** Of the total available water. */
  readonly depletedFraction: number;
  /** FAO-56's Ks, below 1 under stress. */
  readonly stressCoefficient: number;
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function tableAfter(text: string, firstColumn: string): Table {
  const lines = text.split(/\r?\n/);
  const head = lines.findIndex((line) => line.trimStart().startsWith(firstColumn));
  if (head < 0) throw new Error(`No line begins with ${firstColumn}.`);
  const cellsOf = (line: string): string[] => line.trim().split(/\s+/);
  return {
    columns: cellsOf(lines[head]!),
    rows: lines.slice(head + 1).flatMap((line) => (line.trim() === '' ? [] : [cellsOf(line)])),
  };
}

export function parseSoil(text: string): SoilLayer[] {
  return tableAfter(text, 'Depth ').rows.map((cells) => {
    const [bottomCm, fieldCapacity, wiltingPoint] = cells.map(Number);
    return { bottomCm: bottomCm!, fieldCapacity: fieldCapacity!, wiltingPoint: wiltingPoint! };
  });
}

export function parseAllowedDepletion(text: string): number {
  const line = /^\s*([\d.]+)\s+pbase\b/m.exec(text);
  if (line === null) throw new Error('No line gives pbase.');
  return Number(line[1]);
}

/** Profiles without a published root depth are left out. */
export function parseProfiles(text: string): Profile[] {
  const { columns, rows } = tableAfter(text, 'Year-DOY');
  return rows.flatMap((cells) => {
    const cellOf = (column: string): number => Number(cells[columns.indexOf(column)]);
    const rootDepthCm = 100 * cellOf('Zr');
    if (Number.isNaN(rootDepthCm)) return [];
    const layers = Array.from({ length: cellOf('n') }, (_, index) => {
      const number = String(index + 1).padStart(2, '0');
      return { bottomCm: cellOf(`D${number}`), water: cellOf(`SWC${number}`) };
    });
    return {
      day: dayOfYear(cells[0]!),
      rootDepthCm,
      layers,
      depletionMm: cellOf('mDr'),
      depletedFraction: cellOf('mfDr'),
      stressCoefficient: cellOf('mKs'),
    };
  });
}

/** From "2018-123". */
const dayOfYear = (text: string): number =>
  Date.UTC(Number(text.slice(0, 4)), 0, Number(text.slice(5)));

export async function readPlots(folder: string): Promise<Plot[]> {
  const plots: Plot[] = [];
  for (const trial of ['cotton2018', 'corn2023']) {
    const inTrial = (file: string): Promise<string> => readFile(join(folder, trial, file), 'utf8');
    const files = (await readdir(join(folder, trial))).sort();
    for (const file of files.filter((each) => each.endsWith('.sol'))) {
      const name = basename(file, '.sol');
      plots.push({
        name,
        soil: parseSoil(await inTrial(file)),
        allowedDepletion: parseAllowedDepletion(await inTrial(`${name}.par`)),
        profiles: parseProfiles(await inTrial(`${name}.sws`)),
      });
    }
  }
  return plots;
}
