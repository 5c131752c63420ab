# frozen_string_literal: true

module AgentDebugger
  # Reads the variables of each exception where it is raised. They are found by the identity of the exception. The gem
  # `debug`, which belongs to Ruby, knows the frames.
  module Values
    MAX_EXCEPTIONS = 3000
    MAX_KEPT = 300
    MAX_VARIABLES = 40
    MAX_WITH_VARIABLES = 8
    MAX_OF_A_VALUE = 400
    MAX_ITEMS = 10
    MAX_DEPTH = 3
    # The runners' own variables of a test.
    INTERNAL = /\A@(?:NAME|failures|assertions|time|source_location|metadata|__\w+|_\w+)\z/

    @kept = {}.compare_by_identity
    @thrown = Hash.new(0)
    @count = 0

    class << self
      def watch
        require 'debug/frame_info' unless defined?(DEBUGGER__) && DEBUGGER__.respond_to?(:capture_frames)
        @trace = TracePoint.new(:raise) { |point| raised(point.raised_exception) }
        @trace.enable
      rescue LoadError
        @missing = 'the gem debug is not installed'
      end

      def with(exception, frames)
        found = (@kept[exception] || {})[:frames] || []
        frames.map do |frame|
          at = found.index { |other| other[:path] == frame[:path] && other[:line] == frame[:line] }
          next frame if at.nil?

          other = found[at]
          found = found.drop(at + 1)
          frame.merge(other.slice(:variables, :omitted))
        end
      end

      def occurrence(exception)
        (@kept[exception] || {})[:occurrence]
      end

      def reason(frames)
        return nil if @trace.nil? && @missing.nil?
        return nil if frames.empty? || frames.any? { |frame| frame.key?(:variables) }

        @missing || (@trace.enabled? ? 'not raised in the project' : 'too many exceptions before it')
      end

      private

      def raised(exception)
        @count += 1
        @trace.disable if @count > MAX_EXCEPTIONS
        frames = DEBUGGER__.capture_frames(__dir__).select { |frame| Report.own?(path_of(frame)) }
        return if frames.empty?

        number = @thrown["#{path_of(frames[0])}:#{frames[0].location.lineno}"] += 1
        return if @kept.key?(exception)

        @kept.shift if @kept.size >= MAX_KEPT
        @kept[exception] = { occurrence: number, frames: frames.first(MAX_WITH_VARIABLES).map { |frame| read(frame) } }
      rescue StandardError
        # The test goes on without the values.
        nil
      end

      def path_of(frame)
        Report.path_of(frame.location)
      end

      def read(frame)
        scope = frame.binding
        pairs = scope.nil? ? [] : scope.local_variables.map { |name| [name, scope.local_variable_get(name)] }
        pairs += of_self(frame.self)
        {
          path: path_of(frame),
          line: frame.location.lineno,
          variables: pairs.first(MAX_VARIABLES).map { |name, value| [name.to_s, shown(value)] },
          omitted: pairs.size > MAX_VARIABLES ? pairs.size - MAX_VARIABLES : nil
        }.compact
      end

      # The instance variables, and what `let` and `subject` of RSpec have made.
      def of_self(object)
        names = variables(object)
        memoized = names.include?(:@__memoized) ? of(object, :@__memoized) : nil
        made = memoized.nil? ? nil : of(memoized, :@memoized)
        own = names.grep_v(INTERNAL).map { |name| [name, of(object, name)] }
        own + (made.is_a?(Hash) ? made.to_a : [])
      end

      def variables(object)
        Kernel.instance_method(:instance_variables).bind_call(object)
      rescue TypeError
        []
      end

      def of(object, name)
        Kernel.instance_method(:instance_variable_get).bind_call(object, name)
      end

      # Shows a value without calling methods of the project.
      def shown(value)
        text = inside(value, MAX_DEPTH)
        text.length > MAX_OF_A_VALUE ? "#{text[0, MAX_OF_A_VALUE - 1]}…" : text
      rescue StandardError => error
        "not read: #{error.class}"
      end

      def inside(value, depth)
        case value
        when String then value.instance_of?(String) ? value[0, MAX_OF_A_VALUE].inspect : "#{name_of(value)} #{value.to_str[0, MAX_OF_A_VALUE].inspect}"
        when Integer, Float, Rational, Complex, Symbol, nil, true, false, Regexp then value.inspect
        when Array then "[#{items(value, depth) { |item| inside(item, depth - 1) }}]"
        when Hash then "{#{items(value.to_a, depth) { |key, item| "#{inside(key, depth - 1)}=>#{inside(item, depth - 1)}" }}}"
        when Exception then "#{name_of(value)}: #{value.message}"
        when Module then Module.instance_method(:inspect).bind_call(value)
        when Proc, Method then "#<#{name_of(value)}>"
        when Struct then "#<#{name_of(value)} #{fields(value.members.zip(value.to_a), depth)}>"
        else "#<#{name_of(value)} #{fields(variables(value).map { |name| [name, of(value, name)] }, depth)}>".sub(/ >\z/, '>')
        end
      end

      def items(list, depth, &show)
        return "… #{list.size}" if depth.zero? && !list.empty?

        rest = list.size - MAX_ITEMS
        (list.first(MAX_ITEMS).map(&show) + (rest.positive? ? ["… #{rest} more"] : [])).join(', ')
      end

      def fields(pairs, depth)
        return '…' if depth.zero? && !pairs.empty?

        items(pairs, depth) { |name, value| "#{name}=#{inside(value, depth - 1)}" }
      end

      def name_of(value)
        Kernel.instance_method(:class).bind_call(value).name || 'Object'
      end
    end
  end
end
