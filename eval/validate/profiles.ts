import { type RootZoneSlice, rootZoneDeficit } from '../../src/domain/advice/watering-advice.ts';
import { HOUR_MS } from '../../src/domain/periods.ts';
import { CROP_DEPLETIONS } from '../../src/domain/soil/allowed-depletion.ts';
import { type Slice, slicesOf, thicknessMm } from '../../src/domain/soil/slices.ts';
import { SOIL_CLASSES, soilHorizonById } from '../../src/domain/soil/soil-catalog.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../src/schema/moisture/series.ts';
import { type FarmFields, type ValidationFarm, withFarm } from './farm.ts';
import type { Plot, Profile, SoilLayer } from './pyfao56.ts';

export interface ProfileSlice extends Slice {
  /** Lower border of the measured layer, which may lie below the roots. */
  readonly borderCm: number;
  /** m3/m3, measured. */
  readonly water: number;
  readonly fieldCapacity: number;
  readonly wiltingPoint: number;
}

/** The measured layers within the root zone, with the soil figures of their thickness. */
export function rootZoneLayers(
  { layers, rootDepthCm }: Pick<Profile, 'layers' | 'rootDepthCm'>,
  soil: readonly SoilLayer[],
): ProfileSlice[] {
  return layers.flatMap(({ bottomCm: borderCm, water }, index) => {
    const topCm = layers[index - 1]?.bottomCm ?? 0;
    const bottomCm = Math.min(borderCm, rootDepthCm);
    if (topCm >= bottomCm) return [];
    const slice = { topCm, bottomCm };
    return [{ ...slice, borderCm, water, ...meanSoilOf(slice, soil) }];
  });
}

function meanSoilOf({ topCm, bottomCm }: Slice, soil: readonly SoilLayer[]) {
  const mean = (figure: 'fieldCapacity' | 'wiltingPoint'): number =>
    soil.reduce((sum, layer, index) => {
      const from = Math.max(topCm, soil[index - 1]?.bottomCm ?? 0);
      const to = index === soil.length - 1 ? bottomCm : Math.min(bottomCm, layer.bottomCm);
      return sum + Math.max(0, to - from) * layer[figure];
    }, 0) /
    (bottomCm - topCm);
  return { fieldCapacity: mean('fieldCapacity'), wiltingPoint: mean('wiltingPoint') };
}

const BORDER_STEP_CM = 0.5;

/**
 * Sensor depths whose slices are exactly these layers, the first as near as possible to the middle
 * of its layer.
 */
export function sensorDepths(
  layers: readonly Pick<ProfileSlice, 'topCm' | 'borderCm'>[],
): number[] {
  const depthsFrom = (first: number): number[] => {
    const depths = [first];
    for (const { topCm } of layers.slice(1)) depths.push(2 * topCm - depths.at(-1)!);
    return depths;
  };
  const { borderCm } = layers[0]!;
  const firsts = Array.from(
    { length: Math.ceil(borderCm / BORDER_STEP_CM) },
    (_, step) => step * BORDER_STEP_CM,
  );
  const isInside = (depths: readonly number[]): boolean =>
    depths.every((depth, index) => depth > layers[index]!.topCm && depth < layers[index]!.borderCm);
  const fromMiddle = (first: number): number => Math.abs(first - borderCm / 2);
  const possible = firsts
    .filter((first) => isInside(depthsFrom(first)))
    .sort((a, b) => fromMiddle(a) - fromMiddle(b));
  if (possible.length === 0) throw new Error('No sensor depths have these layers as slices.');
  return depthsFrom(possible[0]!);
}

/** mm below field capacity; a wet layer does not offset dry ones. */
export const depletionPerLayer = (layers: readonly ProfileSlice[]): number =>
  layers.reduce(
    (sum, layer) => sum + Math.max(0, layer.fieldCapacity - layer.water) * thicknessMm(layer),
    0,
  );

/**
 * How the farm declares its soil: lines at the measured figures, or layers of texture classes with
 * similar figures.
 */
export const SOIL_SCENARIOS = [
  'line_by_thickness',
  'line',
  'line_and_layers',
  'layers',
  'one_class',
  'next_class',
] as const;
export type SoilScenario = (typeof SOIL_SCENARIOS)[number];

const LINE_SCENARIOS: readonly SoilScenario[] = ['line_by_thickness', 'line', 'line_and_layers'];
const LAYER_SCENARIOS: readonly SoilScenario[] = [
  'line_and_layers',
  'layers',
  'one_class',
  'next_class',
];

export interface ProfileResult {
  readonly plot: string;
  readonly at: number;
  readonly reasons: AdviceBody['reasons'];
  readonly publishedMm: number;
  readonly perLayerMm: number;
  /** The rule for the deficit with the measured field capacity of each layer. */
  readonly ruleMm: number;
  /** The answer of advise_watering. */
  readonly advisedMm: number;
  readonly isStressPublished: boolean;
  readonly isBelowAllowedDepletion: boolean;
  readonly isStress: boolean | null;
}

const moduleOf = (plot: Plot, index: number): string => `${plot.name} ${index + 1}`;
const MORNING_MS = 6 * HOUR_MS;

const cropOf = ({ name }: Plot): 'cotton' | 'maize' =>
  name.startsWith('cotton') ? 'cotton' : 'maize';

export async function compareProfiles(
  plots: readonly Plot[],
  scenario: SoilScenario,
): Promise<ProfileResult[]> {
  const first = Math.min(...plots.flatMap(({ profiles }) => profiles.map(({ day }) => day)));
  return withFarm(profileFarm(plots, scenario), first, async (farm) => {
    const results: ProfileResult[] = [];
    for (const plot of plots)
      for (const [index, profile] of plot.profiles.entries())
        results.push(await compareProfile(farm, plot, moduleOf(plot, index), profile, scenario));
    return results;
  });
}

function profileFarm(plots: readonly Plot[], scenario: SoilScenario): FarmFields {
  return {
    parcels: plots.map((plot) => ({
      name: plot.name,
      type: cropOf(plot),
      ...(LAYER_SCENARIOS.includes(scenario) && { soilProfile: declaredLayers(plot, scenario) }),
    })),
    modules: plots.flatMap((plot) =>
      plot.profiles.map((profile, index) => probeOf(plot, profile, index, scenario)),
    ),
  };
}

function probeOf(plot: Plot, profile: Profile, index: number, scenario: SoilScenario) {
  const layers = rootZoneLayers(profile, plot.soil);
  const depths = sensorDepths(layers);
  const byThickness = Object.fromEntries(
    depths.map((depth, place) => [String(depth), thicknessMm(layers[place]!)]),
  );
  return {
    uid: moduleOf(plot, index),
    name: moduleOf(plot, index),
    category: 'SOIL_PROBE' as const,
    parcel: plot.name,
    sensors: depths.map((depth) => ({ type: 'humidity' as const, depth })),
    settings: {
      rootDepthCm: profile.rootDepthCm,
      ...(scenario === 'line_by_thickness' && { depthWeights: byThickness }),
    },
  };
}

const BY_CAPACITY = SOIL_CLASSES.map(({ id, usdaClass }) => ({
  usdaClass,
  fieldCapacity: soilHorizonById(id)!.fieldCapacity,
})).sort((a, b) => a.fieldCapacity - b.fieldCapacity);

/** Places in the list of texture classes in order of field capacity. */
function nearestClass(fieldCapacity: number): number {
  const distance = (index: number): number =>
    Math.abs(BY_CAPACITY[index]!.fieldCapacity - fieldCapacity);
  return BY_CAPACITY.reduce(
    (best, _, index) => (distance(index) < distance(best) ? index : best),
    0,
  );
}

function declaredLayers({ soil }: Plot, scenario: SoilScenario) {
  const meanCapacity =
    soil.reduce(
      (sum, { bottomCm, fieldCapacity }, index) =>
        sum + (bottomCm - (soil[index - 1]?.bottomCm ?? 0)) * fieldCapacity,
      0,
    ) / soil.at(-1)!.bottomCm;
  const classOf = (fieldCapacity: number): number => {
    if (scenario === 'one_class') return nearestClass(meanCapacity);
    if (scenario === 'next_class')
      return Math.min(nearestClass(meanCapacity) + 1, BY_CAPACITY.length - 1);
    return nearestClass(fieldCapacity);
  };
  return soil.map(({ bottomCm, fieldCapacity }, index) => ({
    usdaClass: BY_CAPACITY[classOf(fieldCapacity)]!.usdaClass,
    depthTopCm: soil[index - 1]?.bottomCm ?? 0,
    depthBottomCm: bottomCm,
  }));
}

async function compareProfile(
  farm: ValidationFarm,
  plot: Plot,
  module: string,
  profile: Profile,
  scenario: SoilScenario,
): Promise<ProfileResult> {
  const layers = rootZoneLayers(profile, plot.soil);
  const depths = sensorDepths(layers);
  const at = profile.day + MORNING_MS;
  farm.now = at;
  await farm.record(
    layers.map(({ water }, index) => ({ module, depthCm: depths[index]!, at, value: 100 * water })),
  );
  if (plot.allowedDepletion !== CROP_DEPLETIONS[cropOf(plot)])
    await farm.ask('set_probe_settings', { module, allowedDepletion: plot.allowedDepletion });
  const { sensors } = await farm.ask<MoistureSeriesBody>('get_moisture_series', {
    module,
    depths: true,
    detail: 'full',
  });
  if (LINE_SCENARIOS.includes(scenario)) {
    const onCurve = (figure: 'fieldCapacity' | 'wiltingPoint'): number =>
      layers.reduce(
        (sum, layer, index) =>
          sum + sensors!.find(({ depth }) => depth === depths[index])!.weight * layer[figure],
        0,
      );
    await drawLine(farm, module, 'threshold1', onCurve('fieldCapacity'));
    await drawLine(farm, module, 'threshold2', onCurve('wiltingPoint'));
  }
  const { deficitMm, reasons } = await farm.ask<AdviceBody>('advise_watering', { module });
  const { state } = await farm.ask<AgronomicStateBody>('get_agronomic_state', { module });
  return {
    plot: plot.name,
    at,
    reasons,
    publishedMm: profile.depletionMm,
    perLayerMm: depletionPerLayer(layers),
    ruleMm: ruleDeficit(layers, depths, profile.rootDepthCm),
    advisedMm: deficitMm!,
    isStressPublished: profile.stressCoefficient < 1,
    isBelowAllowedDepletion: profile.depletedFraction > plot.allowedDepletion,
    isStress: state === null ? null : state === 'stress',
  };
}

function ruleDeficit(
  layers: readonly ProfileSlice[],
  depths: readonly number[],
  rootDepthCm: number,
): number {
  const slices: RootZoneSlice[] = slicesOf(depths, rootDepthCm).map((slice, index) => ({
    ...slice!,
    fieldCapacity: layers[index]!.fieldCapacity,
    moisture: 100 * layers[index]!.water,
  }));
  return rootZoneDeficit(slices, null)!.deficitMm;
}

export const drawLine = (farm: ValidationFarm, module: string, fill: string, water: number) =>
  farm.ask('create_annotation', {
    module,
    type: 'h-line',
    p1: [farm.now, 100 * water],
    unit: 'vwc',
    style: { fill },
  });
