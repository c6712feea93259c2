import { Button } from '../../button.tsx';
import type { ChartModel } from '../chart-model.ts';
import type { Readout } from '../readout.ts';
import { COLOURS } from './colours.ts';

interface ReadoutPanelProps extends Pick<ChartModel, 'texts' | 'curve'> {
  readonly readout: Readout;
  readonly showsDepths: boolean;
  onDepths(): void;
}

/** In one place above the plot, because a finger hides what is under it. */
export function ReadoutPanel(props: ReadoutPanelProps) {
  const { readout, texts, curve, showsDepths, onDepths } = props;
  return (
    <div class="chart-readout">
      <p class="chart-readout-main">
        {readout.value !== null && <b style={{ color: COLOURS.curve }}>{readout.value}</b>}{' '}
        <span>{readout.time}</span>
      </p>
      {curve.sensors.length > 1 && (
        <Button aria-pressed={showsDepths} onClick={onDepths}>
          {texts.phrases.depths}
        </Button>
      )}
      <p class="chart-readout-more">
        {readout.depths.map(({ name, value, colour }, index) => (
          // The key is the index, because two sensors may be at one depth.
          <span key={index}>
            <i style={{ background: colour }} /> {name} <b>{value}</b>
          </span>
        ))}
        {readout.water.map((text, index) => (
          // The key is the index, because two waterings may have one dose.
          <span key={index}>{text}</span>
        ))}
      </p>
    </div>
  );
}
