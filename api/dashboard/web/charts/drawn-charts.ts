import '@mantine/charts/styles.css';
import { AreaChart, BarChart, CompositeChart, LineChart } from '@mantine/charts';

/** The charting library, in a file of its own: it is as large as all of a page's other code. */
export const drawnCharts = { AreaChart, BarChart, CompositeChart, LineChart };
