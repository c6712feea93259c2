import { describe } from './describe.ts';
import type { MoistureChart } from './moisture-chart.ts';

/** Drawing takes a large library: it is loaded for the first picture. */
let renderer: Promise<typeof import('./renderer.ts')> | undefined;

/** The picture of a probe, as PNG. */
export async function drawMoisture(chart: MoistureChart): Promise<Uint8Array> {
  renderer ??= import('./renderer.ts');
  const { render } = await renderer;
  return render(describe(chart));
}
