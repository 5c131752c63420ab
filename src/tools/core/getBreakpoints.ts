import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { addressView } from '../../results/views/addressView';
import { defineTool, success } from '../defineTool';
import { chosenView } from './exceptionChoice';
import { followContent } from '../files/followContent';
import { addressBreakpoint, breakpoint, chosenFilters, maxChars, resultSchema } from '../schemas';

/** For how many breakpoints adapters are asked why they have not bound them. */
const EXPLAINED = 20;

export const getBreakpoints = defineTool({
  name: 'get_breakpoints',
  set: 'core',
  effect: 'read',
  title: 'List Breakpoints',
  userDescription: 'Lists all breakpoints and whether they are verified',
  modelDescription:
    "List all breakpoints, the person's included, with what each running debug session made of them.",
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
          .map((each, index) => services.breakpointViews.view(each, signal, index < EXPLAINED)),
      ),
    );
    const others = services.addressBreakpoints
      .all()
      .map((each) => addressView(each, services.model.state.sessions.get(each.sessionKey)));
    return success({
      timestamp: new Date().toISOString(),
      breakpoints: views,
      ...(others.length > 0 ? { address_breakpoints: others } : {}),
      ...chosenView(services),
    });
  },
});
