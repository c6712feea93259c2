import { moistureChartSpec } from './describe.ts';
import type { MoistureChart } from './moisture-chart.ts';

/** Drawing takes a large library: it is loaded for the first picture. */
let renderer: Promise<typeof import('./renderer.ts')> | undefined;

/** The picture of a probe, as PNG. */
export async function drawMoistureChart(chart: MoistureChart): Promise<Uint8Array> {
  renderer ??= import('./renderer.ts');
  const { renderPng } = await renderer;
  return renderPng(moistureChartSpec(chart));
}
