import { lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import {
  drawnTensionLevels,
  type ThresholdFill,
  thresholdLines,
} from '../../domain/alerts/drawn-lines.ts';
import { groupBy } from '../../domain/groups.ts';
import type { JudgedHeight } from '../../domain/moisture/line-limits.ts';
import type { MeasurementType } from '../../domain/moisture/measurement.ts';
import {
  NO_SETTINGS,
  type SettingsVersion,
  settingsVersionAt,
} from '../../domain/moisture/probe-settings.ts';
import { type SummarySource, summarySource } from '../../domain/moisture/summary-source.ts';
import { type Crop, depletionOf } from '../../domain/soil/allowed-depletion.ts';
import { cropIn } from '../../language/words/farming-terms.ts';
import { type Annotation, linesOfModules } from '../../store/alerts/annotations.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { type Sensor, sensorsOf } from '../../store/company/sensors.ts';
import { settingsVersionsOfModules } from '../../store/moisture/settings-versions.ts';
import type { SoilLayer } from '../../store/soil/soil-layers.ts';
import { layersOfParcels } from '../../store/soil/soil-layers.ts';
import type { CompanyDb } from '../../store/tables.ts';

/**
 * The declared facts of a probe: one query for each kind of row, however many probes are asked for.
 */
export interface ProbeParts {
  readonly module: ModuleName;
  readonly sensors: readonly Sensor[];
  /** Oldest first. */
  readonly settings: readonly SettingsVersion[];
  readonly layers: readonly SoilLayer[];
  readonly crop: Crop | null;
  /** The lines drawn on its charts, oldest first. */
  readonly lines: readonly Annotation[];
}

/** Keeps the order of the modules. */
export async function loadProbeParts(
  db: CompanyDb,
  modules: readonly ModuleName[],
): Promise<ProbeParts[]> {
  if (modules.length === 0) return [];

  const ids = modules.map(({ id }) => id);
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const [sensors, settings, layers, lines, parcels] = await Promise.all([
    sensorsOf(db, ids),
    settingsVersionsOfModules(db, modules),
    layersOfParcels(db, parcelIds),
    linesOfModules(db, ids),
    parcelNames(db),
  ]);

  const sensorsByModule = groupBy(sensors, ({ moduleId }) => moduleId);
  const layersByParcel = groupBy(layers, ({ parcelId }) => parcelId);
  const linesByModule = groupBy(lines, ({ moduleId }) => moduleId);
  const typeByParcel = new Map(parcels.map(({ id, type }) => [id, type]));

  return modules.map((module) => ({
    module,
    sensors: sensorsByModule.get(module.id) ?? [],
    settings: settings.get(module.id) ?? [],
    layers: module.parcelId === null ? [] : (layersByParcel.get(module.parcelId) ?? []),
    crop: module.parcelId === null ? null : cropIn(typeByParcel.get(module.parcelId) ?? null),
    lines: linesByModule.get(module.id) ?? [],
  }));
}

export function summarySourceOf(
  { sensors, settings, layers }: ProbeParts,
  type: MeasurementType,
  at: number,
): SummarySource {
  return summarySource(sensors, settingsVersionAt(settings, at) ?? NO_SETTINGS, layers, type);
}

/** The tension of a tensiometer, which is judged and not its moisture; null for other probes. */
export function tensionSourceOf(parts: ProbeParts, at: number): SummarySource | null {
  if (parts.module.category !== 'TENSIOMETER') return null;
  const source = summarySourceOf(parts, 'tensio', at);
  return source.type === 'tensio' && source.sensors.length > 0 ? source : null;
}

/** The newest one. */
function drawnLine(
  { lines, module: { movedAt } }: Pick<ProbeParts, 'lines' | 'module'>,
  fill: ThresholdFill,
): JudgedHeight | null {
  const newest = thresholdLines(lines, fill).at(-1);
  if (newest === undefined) return null;
  const { suggestedHeight: suggested, confirmedHeight: confirmed, updatedAt } = newest;
  const drawn = { height: lineHeightInUnit(newest), suggested, confirmed };
  return movedAt !== null && updatedAt < movedAt ? { ...drawn, isOfEarlierPlace: true } : drawn;
}

/** The inputs of the state, beside readings. */
export const thresholdParts = (parts: ProbeParts, now: number) => ({
  lines: {
    fieldCapacity: drawnLine(parts, 'threshold1'),
    wiltingPoint: drawnLine(parts, 'threshold2'),
  },
  levels: drawnTensionLevels(parts.lines),
  depletion: depletionOf(
    settingsVersionAt(parts.settings, now)?.allowedDepletion ?? null,
    parts.crop,
  ),
});
