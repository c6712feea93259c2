import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { call } from '../../domain/text/say.ts';
import type { NextCall } from '../../domain/text/text.ts';

/** The drawing of a level as a line; `value` is its height, where it is known. */
export const lineCall = (fill: LineFill | 'dry or wet', value?: number): NextCall =>
  call(
    'create_annotation',
    ...(fill === 'dry' || fill === 'dry or wet' ? ['chartType: tensio'] : []),
    'type: h-line',
    `style.fill: ${fill}`,
    ...(value === undefined ? [] : [`value: ${value}`]),
  );
