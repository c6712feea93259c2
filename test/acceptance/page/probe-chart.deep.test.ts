// With the mouse, fingers and keys.
import './probe-chart.test.ts';
