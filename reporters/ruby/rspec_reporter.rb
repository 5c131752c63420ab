# frozen_string_literal: true

require 'rspec/core'

module AgentDebugger
  # Reports each example that RSpec runs.
  class RSpecReporter
    RSpec::Core::Formatters.register(self, :example_passed, :example_failed, :example_pending)

    def initialize(_output); end

    def example_passed(notification)
      write(notification.example, 'passed')
    end

    def example_failed(notification)
      error = notification.example.exception
      several = error.respond_to?(:all_exceptions) ? error.all_exceptions : [error]
      write(notification.example, 'failed', error: Report.error(several[0], further: several.drop(1)))
    end

    def example_pending(notification)
      write(notification.example, 'skipped', reason: notification.example.execution_result.pending_message)
    end

    private

    def write(example, status, more = {})
      groups = example.example_group.parent_groups.reverse.map(&:description)
      Report.append(
        path: [*groups, example.description],
        status: status,
        requested: 'test',
        file: File.expand_path(example.metadata[:file_path]),
        line: example.metadata[:line_number],
        durationMs: example.execution_result.run_time.to_f * 1000,
        **more
      )
    end
  end

  # An error outside of examples, such as in a file that does not load, belongs to no example.
  module OutsideExamples
    def notify_non_example_exception(exception, description)
      Report.append(loadError: Report.error(exception))
      super
    end
  end
end

RSpec::Core::Reporter.prepend(AgentDebugger::OutsideExamples)
