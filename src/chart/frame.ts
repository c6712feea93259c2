/**
 * The frame of a picture, in CSS px. A chat shows it about 400 px wide, that is, at half its size: hence text that looks
 * large here.
 */
export const FRAME = { width: 800, height: 450, margin: 16 } as const;

/** Device pixels a CSS px. */
export const SCALE = 2;

export const TEXT = { title: 27, subtitle: 20, label: 18, small: 16 } as const;

/** The plot inside the frame, and how it is shared out: the curve above, bars below where there are any. */
export interface Plot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Where the curve's part ends, from the top of the plot. */
  readonly curveBottom: number;
}

const LEFT = 56;
const TOP = 104;
const BOTTOM = 74;
const BARS = 82;

/** The plot with room for labels of that width on its right. */
export function plotOf({ labelWidth, hasBars }: { labelWidth: number; hasBars: boolean }): Plot {
  const height = FRAME.height - TOP - BOTTOM;
  return {
    left: LEFT,
    top: TOP,
    width: FRAME.width - LEFT - Math.max(28, labelWidth + 22),
    height,
    curveBottom: hasBars ? height - BARS : height,
  };
}
