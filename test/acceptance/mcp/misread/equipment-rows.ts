import type { Row } from './row.ts';

export const EQUIPMENT_ROWS: readonly Row[] = [
  {
    what: 'two lengths in one text',
    tool: 'set_parcel',
    args: { name: 'Block A', rootDepthCm: '30 cm, 60 cm' },
    says: /could be two lengths: ask/,
  },
  {
    what: 'a spacing that no equipment has',
    tool: 'set_parcel_installation',
    args: {
      parcel: 'Block B',
      system: 'drip',
      emitterFlowLph: 2,
      emitterSpacingM: 50,
      lineSpacingM: 2,
    },
    says: /50 m, which gives 0[.]02 mm\/h; no equipment has that/,
  },
  {
    what: 'equipment',
    tool: 'set_module_installation',
    args: { module: 'Oak 1', system: 'drip', emitterFlowLph: 2, emittersPerM2: 1 },
    says: /watered by drip/,
  },
  {
    what: 'the same equipment again',
    tool: 'set_module_installation',
    args: { module: 'Oak 1', system: 'drip', emitterFlowLph: 2, emittersPerM2: 1 },
    says: /the same as the version before/,
  },
  {
    what: 'a flow that no emitter has beside the density before',
    tool: 'set_module_installation',
    args: { module: 'Oak 1', system: 'drip', emitterFlowLph: 2000 },
    says: /2000 L\/h, which gives 2000 mm\/h; no equipment has that[.].*2000 mL\/h [(]2 mm\/h[)]/,
  },
  {
    what: 'the same in a correction',
    tool: 'correct_installation',
    args: { parcel: 'Block A', emitterFlowLph: 200 },
    says: /200 L\/h, which gives 400 mm\/h; no equipment has that/,
  },
  {
    what: 'a rate in inches',
    tool: 'set_parcel_installation',
    args: { parcel: 'Block C', system: 'sprinkler', flowMmPerH: '0.35 in/h' },
    says: /sprinkler, 8[.]89 mm\/h/,
  },
  {
    what: 'drip lines on soil of unknown texture',
    tool: 'set_parcel_installation',
    args: {
      parcel: 'Block C',
      system: 'drip',
      emitterFlowLph: 2,
      emitterSpacingM: 0.5,
      lineSpacingM: 3,
    },
    says: /wetted fraction 37 %, .* wet at that spacing in loam, as long as the texture here is unknown/,
  },
];
