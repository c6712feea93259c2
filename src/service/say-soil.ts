import type { Saying } from '../operation/call.ts';
import { parcelName } from '../operation/directory.ts';
import type { LayerEntry, SoilHorizonBody, SoilProfileLayerBody } from '../schema/soil.ts';
import { sayLayer } from './soil-profile.ts';

const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`;

export async function sayProfile(
  { data }: { data: readonly SoilProfileLayerBody[] },
  call: Saying,
  { parcelId }: { parcelId: number },
): Promise<string> {
  const name = await parcelName(call.directory, parcelId);
  if (data.length === 0)
    return [
      `No soil is declared for ${name}: ask for its texture and declare it with set_soil_profile.`,
      ...call.remarks,
    ].join(' ');
  const layers = data.map(
    (layer) =>
      `${layer.usda_class} ${layer.depth_top_cm} to ${layer.depth_bottom_cm} cm (field capacity ${percent(layer.theta_fc)}, wilting point ${percent(layer.theta_pwp)})`,
  );
  return [`The soil of ${name}, top down: ${layers.join('; ')}.`, ...call.remarks].join(' ');
}

export async function sayDeclared(
  _: unknown,
  call: Saying,
  { parcelId, layers }: { parcelId: number; layers: readonly LayerEntry[] },
): Promise<string> {
  const name = await parcelName(call.directory, parcelId);
  const declared = layers.length === 0 ? 'nothing new' : layers.map(sayLayer).join(', ');
  return [`Declared for ${name} from now on: ${declared}.`, ...call.remarks].join(' ');
}

export const sayHorizons = ({ data }: { data: readonly SoilHorizonBody[] }): string =>
  `${data.length} texture classes, from the sandiest on: ${data.map(({ label, code }) => `${label} (${code})`).join(', ')}.`;
