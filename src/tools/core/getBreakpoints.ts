import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { addressView } from '../../results/views/addressView';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { chosenView } from './exceptionChoice';
import { followContent } from '../files/followContent';
import { addressBreakpoint, breakpoint, chosenFilters, maxChars, resultSchema } from '../schemas';

/** The maximum number of breakpoints for which the adapters are asked why they are not bound. */
const EXPLAINED = 20;

export const getBreakpoints = defineTool({
  name: 'get_breakpoints',
  set: 'core',
  effect: 'read',
  title: 'List Breakpoints',
  userDescription: 'Lists all breakpoints and whether they are verified',
  modelDescription:
    "List all breakpoints, the person's included, and whether each running debug session has verified them.",
  icon: 'list-flat',
  input: z.strictObject({ max_chars: maxChars }),
  output: resultSchema(['success'], {
    timestamp: z.iso.datetime().optional(),
    breakpoints: z.array(breakpoint).optional(),
    address_breakpoints: z.array(addressBreakpoint).readonly().optional(),
    exception_filters: z.array(chosenFilters).optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Listing the breakpoints'),
  run: async ({ services, call }) => {
    await followContent(services);
    const views = await services.inspector.limited(call.signal, (signal) =>
      Promise.all(
        services.breakpoints
          .all()
          .map((breakpoint, index) =>
            services.breakpointViews.view(breakpoint, signal, index < EXPLAINED),
          ),
      ),
    );
    const addresses = services.addressBreakpoints
      .all()
      .map((address) =>
        addressView(address, services.model.state.sessions.get(address.sessionKey)),
      );
    return success({
      timestamp: new Date().toISOString(),
      breakpoints: views,
      ...defined({ address_breakpoints: addresses.length > 0 ? addresses : undefined }),
      ...chosenView(services),
    });
  },
});
