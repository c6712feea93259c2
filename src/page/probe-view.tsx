import { ProbeChart } from './chart/probe-chart.tsx';
import { useElementWidth } from './element-width.ts';
import { usePage } from './page-context.ts';

const CHART_HEIGHT = 320;

export function ProbeView({ moduleId }: { readonly moduleId: number }) {
  const { service, lang, zone, theme } = usePage();
  const { ref, width } = useElementWidth();
  return (
    <main>
      <div ref={ref}>
        {width > 0 && (
          <ProbeChart
            {...{ service, moduleId, lang, zone, theme, width }}
            height={CHART_HEIGHT}
            canWrite
            onSaved={() => undefined}
          />
        )}
      </div>
    </main>
  );
}
