/** Where the documented GETs read. */
import type { App } from '../../src/app.ts';
import { type Route, readRoutes } from './documented-routes.ts';

/** The documented GETs that may read from a standby, and the others. */
export async function readGetSources(
  http: App['http'],
): Promise<{ standby: Route[]; primary: Route[] }> {
  const gets = (await readRoutes(http)).filter(({ method }) => method === 'GET');
  const isStandby = ({ name }: Route): boolean =>
    http.standbyPaths.has(name.slice('GET '.length).replaceAll(/\{(\w+)\}/g, ':$1'));
  return { standby: gets.filter(isStandby), primary: gets.filter((route) => !isStandby(route)) };
}
