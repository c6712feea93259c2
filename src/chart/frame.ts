/**
 * The frame of a picture, in CSS px. A chat shows it about 400 px wide, that is, at half its size: hence text that looks
 * large here.
 */
export const FRAME = { width: 800, height: 450, margin: 16 } as const;

/** Device pixels a CSS px. */
export const PIXEL_RATIO = 2;

export const TEXT_SIZES = { title: 27, subtitle: 20, label: 18, small: 16 } as const;

/** The plot inside the frame, and how it is shared out: the curve above, bars below where there are any. */
export interface Plot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Where the curve's part ends, from the top of the plot. */
  readonly curveBottom: number;
}

const PLOT_LEFT = 56;
const PLOT_TOP = 104;
const PLOT_BOTTOM = 74;
const BARS_HEIGHT = 82;

/** The plot with room for labels of that width on its right. */
export function plotFor({ labelWidth, hasBars }: { labelWidth: number; hasBars: boolean }): Plot {
  const height = FRAME.height - PLOT_TOP - PLOT_BOTTOM;
  return {
    left: PLOT_LEFT,
    top: PLOT_TOP,
    width: FRAME.width - PLOT_LEFT - Math.max(28, labelWidth + 22),
    height,
    curveBottom: hasBars ? height - BARS_HEIGHT : height,
  };
}
