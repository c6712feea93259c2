// In the dark theme too.
import './moisture-chart.test.ts';
