# frozen_string_literal: true

# Runs the requested tests of a file, and reports them. The file that AGENT_DEBUGGER_REQUESTED names has a line for each of
# these, with percent signs for special characters: `minitest` or `rspec`, the file of the tests, and the arguments.
require 'English'
require_relative 'report'
require_relative 'values'

module AgentDebugger
  class << self
    # Whether the runner has come to its end.
    attr_accessor :ended
  end
end

kind, file, *arguments = File.readlines(ENV.fetch('AGENT_DEBUGGER_REQUESTED'), chomp: true).map do |line|
  line.gsub(/%\h\h/) { |code| code[1, 2].hex.chr }.force_encoding('UTF-8')
end

AgentDebugger::Values.watch if ENV['AGENT_DEBUGGER_VALUES'] == '1'
at_exit do
  # A test may end the process.
  AgentDebugger::Report.append(exited: $ERROR_INFO.is_a?(SystemExit) ? $ERROR_INFO.status : nil) unless AgentDebugger.ended
end

begin
  require_relative "#{kind}_reporter"
rescue LoadError => error
  AgentDebugger::Report.append(loadError: AgentDebugger::Report.error(error))
  raise
end

if kind == 'rspec'
  RSpec.configure { |config| config.add_formatter(AgentDebugger::RSpecReporter) }
  $PROGRAM_NAME = 'rspec'
  code = RSpec::Core::Runner.run(arguments)
  AgentDebugger.ended = true
  exit code
end

ARGV.replace(arguments)
$PROGRAM_NAME = file
%w[test lib].each { |folder| $LOAD_PATH.unshift(File.expand_path(folder)) }
begin
  load file
rescue Exception => error # rubocop:disable Lint/RescueException
  AgentDebugger::Report.append(loadError: AgentDebugger::Report.error(error)) unless error.is_a?(SystemExit)
  raise
end
require 'minitest/autorun'
