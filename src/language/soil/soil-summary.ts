import { soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import type { DeclaredLayer, LayerSpan } from '../../domain/soil/soil-profile.ts';
import { exact } from '../../domain/text/figures.ts';
import {
  call,
  commaSeparated,
  join,
  name,
  noun,
  sameCallWith,
  say,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { LayerEntry, SoilHorizonBody, SoilProfileLayerBody } from '../../schema/soil/soil.ts';
import type { AdvisorySentences } from '../advisory-sentences.ts';
import { englishLabels } from '../en/labels.ts';
import type { SummaryContext } from '../summary-context.ts';
import { parcelText } from '../text/names-of-farm.ts';

const textureOf = (soilHorizonId: number, unknown = `texture ${soilHorizonId}`): string => {
  const horizon = soilHorizonById(soilHorizonId);
  return horizon === null ? unknown : englishLabels.texture(horizon.usdaClass);
};

const layerText = (texture: string, { depthTopCm, depthBottomCm }: LayerSpan): Text =>
  say`${name(texture)} ${exact([depthTopCm, depthBottomCm], 'cm', 'to')}`;

const listLayers = (layers: readonly DeclaredLayer[]): Text =>
  commaSeparated(layers.map((layer) => layerText(textureOf(layer.soilHorizonId), layer)));

const percent = (fraction: number) => exact(Math.round(fraction * 100), '%');

export async function summarizeSoilProfile(
  { data }: { data: readonly SoilProfileLayerBody[] },
  { directory }: SummaryContext,
  { parcelId }: { parcelId: number },
): Promise<Text> {
  const parcel = await parcelText(directory, parcelId);
  if (data.length === 0)
    return say`No soil is declared for ${parcel}: ask for its texture, then declare it.${call('set_soil_profile')}`;

  const layers = data.map((layer) => {
    const texture = textureOf(layer.soil_horizon_id, layer.usda_class);
    const span = { depthTopCm: layer.depth_top_cm, depthBottomCm: layer.depth_bottom_cm };
    return say`${layerText(texture, span)} (field capacity ${percent(layer.theta_fc)}, wilting point ${percent(layer.theta_pwp)})`;
  });
  return say`The soil of ${parcel} from the top: ${join(layers, say`; `)}.`;
}

export async function summarizeDeclaredSoil(
  _: unknown,
  { directory }: SummaryContext,
  { parcelId, layers }: { parcelId: number; layers: readonly LayerEntry[] },
  advisories: readonly Advisory[],
): Promise<Text> {
  const parcel = await parcelText(directory, parcelId);
  const others = advisories.flatMap((advisory) =>
    advisory.kind === 'layers_in_force' ? advisory.layers : [],
  );
  const deepestCm = Math.max(...layers.map(({ depthBottomCm }) => depthBottomCm));
  // To close others would remove soil above or between the declared layers.
  const areAllBelow = others.every(({ depthTopCm }) => depthTopCm >= deepestCm);

  const declared = layers.length === 0 ? say`nothing new` : listLayers(layers);
  return say`Declared for ${parcel} from now on: ${declared}${describeOthers(others, areAllBelow)}.`;
}

function describeOthers(others: readonly DeclaredLayer[], areAllBelow: boolean): Text | null {
  if (others.length === 0) return null;
  const stay = say`; ${listLayers(others)} ${noun(others.length, 'stays', 'stay')} from before`;
  if (!areAllBelow) return stay;

  const removed = others.map(
    ({ soilHorizonId, depthTopCm, depthBottomCm }) =>
      `${textureOf(soilHorizonId)} ${depthTopCm} to ${depthBottomCm} cm`,
  );
  const closing = sameCallWith(
    'closeOthers: true',
    `if these layers are the whole profile: it removes ${removed.join(' and ')}`,
  );
  return say`${stay}, unless what you declared is the whole soil${closing}`;
}

export const summarizeSoilHorizons = ({ data }: { data: readonly SoilHorizonBody[] }): Text => {
  const textures = data.map(({ label, code }) => say`${name(label)} (${name(code)})`);
  return say`${data.length} texture classes, sandiest first: ${commaSeparated(textures)}.`;
};

/** Says what became of the layers of a parcel. */
export const soilSentences = {
  layers_closed: ({ layers }) => say`Closed, and kept for past dates: ${listLayers(layers)}.`,
  layers_as_before: (_) =>
    say`The same layers were in force before: if they were declared twice by mistake, take these back.${call('undo')}`,
  layers_in_force: ({ layers }) => say`Still in force: ${listLayers(layers)}.`,
  layers_overlapping: ({ layers }) =>
    say`${listLayers(layers)} ${noun(layers.length, 'overlaps', 'overlap')} the declared layers: where two cover a depth, the one that starts deeper counts.`,
} satisfies Partial<AdvisorySentences>;
