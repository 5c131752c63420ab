# frozen_string_literal: true

require 'minitest'

module AgentDebugger
  # Reports each test that minitest runs.
  class MinitestReporter < Minitest::AbstractReporter
    def record(result)
      first, *others = result.failures
      Report.append(
        path: [*result.klass.split('::'), result.name],
        status: status_of(result, first),
        requested: 'test',
        file: result.source_location&.first && File.expand_path(result.source_location.first),
        line: result.source_location&.last,
        durationMs: result.time * 1000,
        reason: result.skipped? ? first.message : nil,
        error: first.nil? || result.skipped? ? nil : Report.error(raised(first), further: others.map { |each| raised(each) })
      )
    end

    def report
      AgentDebugger.ended = true
    end

    private

    # The error of the test is inside minitest's own.
    def raised(failure)
      failure.respond_to?(:error) && failure.error.is_a?(Exception) ? failure.error : failure
    end

    def status_of(result, first)
      return result.skipped? ? 'skipped' : 'passed' if first.nil? || result.skipped?

      labels = (raised(first).backtrace_locations || []).map(&:base_label)
      is_fixture = !labels.include?(result.name) && labels.any? { |label| %w[setup teardown].include?(label) }
      is_fixture ? 'errored' : 'failed'
    end
  end
end

module Minitest
  def self.plugin_agent_debugger_init(_options)
    reporter << AgentDebugger::MinitestReporter.new
  end
end

Minitest.extensions << 'agent_debugger'
